"""Seeds depend on the key alone and are spread over the whole range."""

from hashlib import sha256

from polychotomy.core.seeds import seed_of


def test_known_value_stays():
    # The seed is part of the study format: SHA-256 of '[0, "a", 1]', first four bytes.
    assert seed_of(0, "a", 1) == int.from_bytes(sha256(b'[0, "a", 1]').digest()[:4], "little")


def test_text_and_numbers_are_different_keys():
    assert seed_of(0, "1") != seed_of(0, 1)


def test_keys_do_not_run_into_each_other():
    assert seed_of(0, "ab", "c") != seed_of(0, "a", "bc")


def test_seeds_are_spread():
    seeds = [seed_of(0, i) for i in range(4000)]
    assert len(set(seeds)) > 3990
    assert 0.45 < sum(seed >= 2**31 for seed in seeds) / 4000 < 0.55
