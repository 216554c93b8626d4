"""Draws are repeatable, unbiased in range, and bound to their purpose."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest

from gm.chance import Chance

SEED = bytes(range(32))


def test_the_same_purpose_gives_the_same_draw() -> None:
    assert Chance(SEED).below(1000, "S1901M", "powers") == Chance(SEED).below(1000, "S1901M", "powers")


def test_another_purpose_or_seed_gives_other_draws() -> None:
    draws = [Chance(SEED).below(10**9, "a", n) for n in range(50)]
    assert len(set(draws)) == 50
    assert [Chance(SEED[::-1]).below(10**9, "a", n) for n in range(50)] != draws


def test_a_draw_is_the_digest_of_game_and_purpose() -> None:
    """BH-2, so that anybody can check a draw with any program that makes an HMAC."""
    digest = hmac.digest(SEED, b"spring/S1901/hole#0", "sha256")
    assert Chance(SEED, "spring").below(68, "S1901", "hole") == int.from_bytes(digest, "big") % 68
    assert Chance(SEED, "spring").below(10**9, "S1901", "hole") != Chance(SEED, "autumn").below(10**9, "S1901", "hole")


def test_a_number_that_would_favour_some_results_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """BH-2: rejection sampling. Of 2^256 numbers the last is beyond the last full round of three."""
    numbers = {b"hole#0": (1 << 256) - 1, b"hole#1": 5}
    monkeypatch.setattr(hmac, "digest", lambda key, message, name: numbers[message].to_bytes(32, "big"))
    assert Chance(SEED).below(3, "hole") == 2


def test_every_candidate_is_about_equally_likely() -> None:
    counts = Counter(Chance(SEED).below(7, n) for n in range(7000))
    assert set(counts) == set(range(7))
    assert all(850 < count < 1150 for count in counts.values())


def test_shuffling_keeps_the_candidates() -> None:
    cards = list(range(20))
    shuffled = Chance(SEED).shuffled(cards, "deal")
    assert sorted(shuffled) == cards
    assert shuffled != cards
    assert shuffled == Chance(SEED).shuffled(cards, "deal")


def test_the_commitment_is_the_sha256_of_the_seed() -> None:
    assert Chance(SEED).commitment == hashlib.sha256(SEED).hexdigest()


def test_a_guessable_seed_and_an_empty_draw_are_refused() -> None:
    with pytest.raises(ValueError, match="16 bytes"):
        Chance(b"short")
    with pytest.raises(ValueError, match="candidate"):
        Chance(SEED).below(0, "nothing")


def test_what_is_left_out_changes_a_draw_only_by_being_drawn() -> None:
    """Otherwise whoever may leave something out, and sees the draw again, chooses between two results."""
    every, drawn = range(75), Counter[int]()
    for number in range(400):
        chance = Chance(SEED, f"game {number}")
        one = chance.choose_but(every, {3, 10}, "hole")
        for other in range(20, 75, 6):
            assert chance.choose_but(every, {3, 10, other}, "hole") == one or one == other
            assert chance.choose_but(every, {3, other}, "hole") in (one, 10) or one == other
        drawn[one] += 1
    assert not {3, 10} & {*drawn}
    assert max(drawn.values()) < 20, "400 draws from 73"
    with pytest.raises(ValueError, match="candidate"):
        Chance(SEED).choose_but([1, 2], {2, 1}, "hole")
