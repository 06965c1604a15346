"""The connections of each player, counted over all nodes: so many at most, the oldest yield.

A node that died is known by its lease, which it renews with its seeks.
"""

from collections.abc import Collection

from . import scripts
from .keys import LOBBY_KEYS, lines_key, yielding_key
from .lane import Lane

AT_ONCE = 1000


class Lines:
    def __init__(self, lane: Lane, node: str) -> None:
        self._lane = lane
        self._node = node

    async def enter(self, player: str, line: str, most: int) -> list[str]:
        """Returns which of this node's yield."""
        values = (player, self._node, line, most)
        _, _, yielding = await self._lane.run(scripts.ENTER, LOBBY_KEYS, values)
        return [one.decode() for one in yielding]

    async def leave(self, player: str, line: str) -> None:
        await self._lane.call("ZREM", lines_key(player), f"{self._node} {line}")

    async def listed(self, players: Collection[str]) -> set[str]:
        """Which of this node's connections these players have in their lists."""
        names, head = list(players), f"{self._node} "
        found: set[str] = set()
        for start in range(0, len(names), AT_ONCE):
            some = names[start : start + AT_ONCE]
            replies = await self._lane.call_all(("ZRANGE", lines_key(one), 0, -1) for one in some)
            lines = (line.decode() for lines in replies for line in lines)
            found.update(line.removeprefix(head) for line in lines if line.startswith(head))
        return found

    async def yielding(self) -> list[str]:
        """Which of this node's are to yield to connections elsewhere. Each is told once."""
        found = await self._lane.call("LPOP", yielding_key(self._node), AT_ONCE)
        return [one.decode() for one in found or ()]
