"""Two people at two browsers play, from the link to the end."""

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from client.lines_of_play import IDS, SHORT, ending_of, line_of
from gateway.hall import Hall
from page.conftest import Arrive, Sit

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_from_the_lobby_to_the_first_move(arrive: Arrive) -> None:
    ann, bob = await arrive(), await arrive()
    await ann.enter()
    await ann.be_called("ann")
    code = await ann.open_room("Number Tower Duel", preset="grand", rounds="2", clock="60000+1000")
    await ann.sees(".code", f"{code[:3]}-{code[3:]}")
    await ann.sees(".terms", "grand · 1+1 · 2 games")
    await expect(ann.page.get_by_label("Link").first).to_have_value(f"{ann.address}/r/{code}")
    shown = await ann.page.locator(".qr").evaluate(
        "async picture => { await picture.decode(); return picture.naturalWidth; }"
    )
    assert shown > 0
    await bob.enter(f"/r/{code}")
    await bob.sees(".welcome", "ann invites you to play")
    await bob.click("Sit down and play")
    await ann.play("7A")
    await bob.sees_moves("7A")
    await expect(bob.page.locator(".clock.running")).to_be_visible()


@pytest.mark.parametrize("game", IDS)
async def test_two_browsers_play_every_game_to_its_end(sit: Sit, game: str) -> None:
    players = ann, bob = await sit(game, options=SHORT[game])
    for seat, move in line_of(game):
        await players[seat].play(move)
    _, text = ending_of(game)
    ended = text.replace("Player 1", "ann").replace("Player 2", "bob")
    assert [await player.result() for player in players] == [ended, ended]
    assert await ann.towers() == await bob.towers()
    shown = await ann.page.locator(".sheet button").all_inner_texts()
    assert [move for move in shown if move != "pass"] == [move for _, move in line_of(game)]
    await ann.sees_title("Over")


async def test_the_title_says_whose_turn_it_is(sit: Sit) -> None:
    ann, bob = await sit("relatives")
    await ann.sees_title("● Your turn · Number Tower: Relatives")
    await bob.sees_title("ann to move")
    await ann.play("6")
    await bob.sees_title("● Your turn")
    await ann.sees_title("bob to move")


async def test_the_last_move_is_marked_and_told_to_screen_readers(sit: Sit) -> None:
    ann, bob = await sit("duel")
    await ann.play("3A")
    await bob.play("4A")
    await ann.sees("#announcer", "bob places 4 on tower A. Your turn.")
    await expect(ann.page.locator(".block.last")).to_have_text("4")
    await ann.sees_towers("A: 3, 4; 4 is on top.", "B: empty.", "C: empty.")
    await bob.sees_moves("3A", "4A")
    owners = await bob.page.locator(".block").evaluate_all("all => all.map(b => b.dataset.seat)")
    assert owners == ["1", "0"]


async def test_screen_readers_are_told_what_else_happens(hall: Hall, arrive: Arrive) -> None:
    ann, bob = await hall.connect("ann"), await hall.connect("bob")
    opened = await ann.ask("create", game="duel", first="joiner", clock=None)
    visitor = await arrive(ann.token)
    await visitor.enter(f"/r/{opened['code']}")
    await visitor.sees(".invitation", "Invite somebody")
    await bob.ask("join", room=opened["code"])
    await visitor.sees("#announcer", "Game 1 begins. bob is to move.")
    bob.drop()
    await visitor.sees("#announcer", "bob is away.")
    bob = await hall.connect("bob", token=bob.token)
    await bob.ask("watch", room=opened["code"])
    await visitor.sees("#announcer", "bob is back.")
    await bob.ask("abort", room=opened["room"], round=1)
    await bob.ask("rematch", room=opened["room"], round=1)
    await visitor.sees("#announcer", "bob asks for a rematch.")


async def test_keys_select_a_move_and_enter_plays_it(sit: Sit) -> None:
    ann, bob = await sit("duel")
    await ann.press("3")
    await expect(ann.page.locator(".move.fits")).to_have_text(["3A", "3B", "3C"])
    await ann.press("b")
    await expect(ann.page.locator(".move.fits")).to_have_text(["3B"])
    await ann.press("Enter")
    await bob.sees_moves("3B")


async def test_arrows_step_back_through_the_moves_while_the_game_goes_on(sit: Sit) -> None:
    ann, bob = await sit("relatives")
    await ann.play("6")
    await bob.play("3")
    await ann.has_the_move()
    await ann.press("ArrowLeft")
    await ann.sees_towers("Tower: 6; 6 is on top.")
    await expect(ann.page.locator(".move").first).to_be_hidden()
    await ann.press("Home")
    await ann.sees_towers("Tower: empty.")
    await ann.press("End")
    await ann.play("9")
    await ann.sees_moves("6", "3", "9")


async def test_a_refused_move_shows_the_servers_sentence(sit: Sit) -> None:
    ann, _ = await sit("chain")
    await ann.play("one")
    await ann.sees(".choice .refusal", "whole number")
    await ann.play("9007199254740991")
    await ann.sees(".choice .refusal", "at most")
    await ann.play("2")
    await ann.sees_moves("2")
    await expect(ann.page.locator(".choice .refusal")).to_be_empty()


async def test_resigning_is_asked_twice_and_a_rematch_starts_when_both_want_it(
    sit: Sit,
) -> None:
    ann, bob = await sit("duel")
    await ann.play("1A")
    await bob.play("2A")
    await ann.has_the_move()
    await ann.click("Resign")
    await ann.click("No, go on")
    await ann.click("Resign")
    await ann.click("Yes, resign")
    assert "resign" in await bob.result()
    await bob.click("Rematch")
    await ann.click("Accept the rematch")
    # The other one begins now.
    await bob.has_the_move()
    await bob.play("5C")
    await ann.sees_moves("5C")
    await ann.click("1")
    await ann.sees(".prompt", "Looking back at game 1.")
    await ann.sees_moves("1A", "2A")


async def test_a_match_goes_on_to_its_next_game_by_itself(sit: Sit) -> None:
    ann, bob = await sit("strangers", rounds=2)
    await ann.play("1")
    await bob.sees(".result", re.compile(r"ann wins\. Next game in \d s\."))
    await bob.has_the_move()
    await bob.play("1")
    await ann.sees(".result", "The match is drawn, 1 to 1.")


async def test_a_match_can_be_aborted_before_both_have_moved(sit: Sit) -> None:
    ann, bob = await sit("duel")
    await ann.play("1A")
    await bob.click("Abort")
    assert "abort" in (await ann.result()).lower()


async def test_a_game_without_a_clock_shows_none(sit: Sit) -> None:
    ann, _ = await sit("duel")
    await expect(ann.page.locator(".clock").first).to_be_hidden()
    await ann.sees(".terms", "no clock")


async def test_chat_is_shown_to_all(sit: Sit) -> None:
    ann, bob = await sit("duel")
    await ann.page.get_by_label("Say something").fill("good luck")
    await ann.click("Send")
    await bob.sees(".chat-log", "ann good luck")
    await expect(ann.page.get_by_label("Say something")).to_have_value("")


async def test_the_record_of_a_finished_game_can_be_downloaded(sit: Sit) -> None:
    ann, bob = await sit("strangers")
    await ann.play("1")
    await bob.result()
    async with bob.page.expect_download() as download:
        await bob.click("Download the record")
    saved = await download.value
    assert saved.suggested_filename == f"towerhall-{bob.code}-1.txt"
    assert '[Player1 "ann"]' in await asyncio.to_thread(Path(await saved.path()).read_text)


async def test_the_link_of_a_finished_game_replays_it(arrive: Arrive, sit: Sit) -> None:
    ann, bob = await sit("relatives")
    await ann.play("8")
    await bob.play("4")
    await ann.play("2")
    await bob.has_the_move()
    await bob.click("Resign")
    await bob.click("Yes, resign")
    await ann.result()
    carl = await arrive()
    await carl.enter(f"/r/{ann.code}")
    await carl.sees_moves("8", "4", "2")
    await carl.sees_towers("Tower: 8, 4, 2; 2 is on top.")
    await carl.click("Move 2, bob: 4")
    await carl.sees_towers("Tower: 8, 4; 4 is on top.")
    await carl.sees(".step-text", "bob places block 4.")


async def test_a_question_about_one_game_is_not_answered_in_the_next(sit: Sit) -> None:
    ann, bob = await sit("duel", rounds=2)
    await ann.play("1A")
    await bob.play("2A")
    await ann.has_the_move()
    await ann.click("Resign")
    await expect(ann.page.locator("dialog")).to_be_visible()
    await bob.click("Resign")
    await bob.click("Yes, resign")
    await expect(ann.page.locator("dialog")).to_have_count(0)
    await ann.sees(".result", "Next game in")
    await bob.has_the_move()
    await ann.sees(".terms", "game 2")


async def test_a_half_typed_move_is_still_there_after_looking_back(sit: Sit) -> None:
    ann, bob = await sit("chain")
    await ann.play("2")
    await bob.play("4")
    await ann.has_the_move()
    field = ann.page.locator(".move-field")
    await field.fill("123")
    await ann.click("One move back")
    await expect(field).to_be_hidden()
    await ann.click("Latest move")
    await expect(field).to_have_value("123")


async def test_after_a_refused_move_the_next_one_is_typed_in_its_place(sit: Sit) -> None:
    ann, bob = await sit("chain")
    await ann.play("one")
    await ann.sees(".choice .refusal", "whole number")
    await ann.page.keyboard.type("4")
    await expect(ann.page.locator(".move-field")).to_have_value("4")
    await ann.page.locator(".move-field").fill("two")
    await ann.click("Play")
    await ann.sees(".choice .refusal", "whole number")
    await expect(ann.page.locator(".move-field")).to_be_focused()
    await ann.page.keyboard.type("5")
    await ann.press("Enter")
    await bob.sees_moves("5")


async def test_what_is_said_with_two_quick_presses_is_said_once(sit: Sit) -> None:
    ann, bob = await sit("duel")
    await ann.page.get_by_label("Say something").fill("good luck")
    await ann.page.locator(".chat form").evaluate(
        "form => { form.requestSubmit(); form.requestSubmit(); }"
    )
    await expect(ann.page.get_by_label("Say something")).to_have_value("")
    await ann.page.get_by_label("Say something").fill("and have fun")
    await ann.click("Send")
    await bob.sees(".chat-log", "and have fun")
    await expect(bob.page.locator(".chat-log p")).to_have_text(
        ["ann good luck", "ann and have fun"]
    )


async def test_two_of_the_same_name_are_told_apart(hall: Hall, arrive: Arrive) -> None:
    one, two = await hall.connect("ann"), await hall.connect("ann")
    table = await hall.table(one, two)
    ann = await arrive(two.token)
    await ann.enter(f"/r/{table.code}")
    await ann.sees(".prompt", "ann (1) is to move.")
    await ann.sees(".player[data-seat='1'] .name", "ann (2) (you)")


async def test_a_table_at_which_nothing_changes_does_not_tick(sit: Sit) -> None:
    ann, bob = await sit("duel")
    ticks = """() => new Promise(done => {
        let ticks = 0;
        const now = performance.now.bind(performance);
        performance.now = () => { ticks += new Error().stack.includes("table.js"); return now(); };
        setTimeout(() => { performance.now = now; done(ticks); }, 1000);
    })"""

    async def comes_to_rest() -> None:
        """What was just said or asked for may still be drawn, once; a table that ticks never is."""
        counted = [await ann.page.evaluate(ticks)]
        while counted[-1] and len(counted) < 5:
            counted.append(await ann.page.evaluate(ticks))
        assert counted[-1] == 0, counted

    await comes_to_rest()
    await ann.play("1A")
    await bob.click("Abort")
    await ann.result()
    await comes_to_rest()
