"""A recorded game, frame by frame. Pure."""

from dataclasses import dataclass

from towerhall_client.board import board_lines, draw_board
from towerhall_client.clockface import face
from towerhall_client.ink import Row, cut_row
from towerhall_client.naming import Names, named
from towerhall_client.record import Record
from towerhall_protocol.rooms import Frame, GameInfo


@dataclass(frozen=True)
class Film:
    title: str
    names: Names
    record: Record
    frames: tuple[Frame, ...]

    @classmethod
    def of(cls, record: Record, frames: list[Frame], games: list[GameInfo]) -> "Film":
        title = next((game.title for game in games if game.id == record.game), record.game)
        one, two = record.players
        return cls(title, (one, two), record, tuple(frames))

    @property
    def last(self) -> int:
        return len(self.frames) - 1

    def ending(self) -> str:
        """The result, in words."""
        reason = self.record.tags.get("Reason", "")
        if self.record.result == "*":
            return "not finished" if reason in ("", "playing") else f"no winner: {reason}"
        winner = self.names[0 if self.record.result == "1-0" else 1]
        return f"{winner} wins ({reason.replace('_', ' ')})"

    def caption(self, number: int) -> str:
        frame = self.frames[number]
        text = named(frame.text, self.names) if frame.text else "Before the first move."
        for move in self.record.moves[number - 1 : number] if number else ():
            text += f"  [{face(move.clock_ms)}]" if move.clock_ms is not None else ""
        if number == self.last:
            text += f"  {self.record.result}: {self.ending()}."
        return text

    def lines(self, number: int) -> list[str]:
        """One frame in plain lines."""
        view = self.frames[number].view
        lines = [f"{number}. {self.caption(number)}" if number else self._headline()]
        return [*lines, *board_lines(view, self.names)]

    def rows(self, number: int, width: int, height: int) -> list[Row]:
        """One frame, drawn."""
        view = self.frames[number].view
        inner, room = width - 2, max(4, height - 5)
        board = draw_board(view, self.names, inner, room)
        air: list[Row] = [[] for _ in range(room - len(board))]
        head: list[Row] = [[("title", self._headline())], [("rule", "─" * inner)]]
        rows = [
            *head,
            *air,
            *board,
            [],
            [("prompt", f"{number}/{self.last}  {self.caption(number)}")],
        ]
        return [cut_row([("", " "), *row], width) for row in rows]

    def _headline(self) -> str:
        facts = [self.title, f"{self.names[0]} against {self.names[1]}"]
        facts += [self.record.tags[tag] for tag in ("Date",) if tag in self.record.tags]
        return " · ".join(facts)
