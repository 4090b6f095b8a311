"""Threads over chunks: the same bits for any number of them, and the same errors."""

import threading

import joblib
import numpy as np
import pytest
from decoding_strategies import CODES, SEEDS, random_outputs
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from polychotomy.core import threads as chunks
from polychotomy.core.exceptions import InvalidInput
from polychotomy.core.threads import count_threads, in_threads
from polychotomy.decoding import make_decoder, project_to_simplex, simplex
from polychotomy.decoding.couple import couple
from polychotomy.decoding.decode import decode

DECODERS = ["bradley-terry", "least-squares", "votes", "loss"]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch):
    """Seven samples a chunk, and processors enough wherever the tests run."""
    monkeypatch.setattr(chunks, "MOST_SAMPLES", 7)
    monkeypatch.setattr(joblib, "cpu_count", lambda: 4)


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("name", CODES)
@pytest.mark.long
def test_decoding_gives_the_same_bits(decoder, name):
    code = CODES[name](5)
    q = random_outputs(code, seed=1, n=60)
    q[::9] = np.round(q[::9])  # certain ones take ways of their own
    alone = decode(code, q, decoder=decoder)
    for n_jobs in (2, 3, -1):
        assert_array_equal(decode(code, q, decoder=decoder, n_jobs=n_jobs), alone)


def test_coupling_and_projection_give_the_same_bits():
    r = np.random.default_rng(0).uniform(size=(4, 10, 3, 3))
    r = r / (r + np.swapaxes(r, -1, -2))
    assert_array_equal(couple(r, n_jobs=3), couple(r))
    x = np.random.default_rng(0).normal(size=(50, 4))
    assert_array_equal(project_to_simplex(x, n_jobs=3), project_to_simplex(x))


@pytest.mark.parametrize("decoder", ["bradley-terry", "least-squares"])
@given(seed=SEEDS, k=st.integers(2, 12), n=st.integers(2, 90), most=st.integers(3, 40))
def test_pairs_give_the_same_bits_in_chunks_of_any_size(decoder, seed, k, n, most):
    """So more threads may have larger chunks."""
    code = CODES["one-vs-one"](k)
    q = random_outputs(code, seed=seed, n=n)
    q[::5] = np.round(q[::5])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunks, "MOST_SAMPLES", most)
        parts = decode(code, q, decoder=decoder)
        patch.setattr(chunks, "MOST_SAMPLES", n)
        assert_array_equal(decode(code, q, decoder=decoder), parts)


@given(seed=SEEDS, k=st.integers(1, 24), n=st.integers(2, 90), most=st.integers(3, 40))
def test_projections_have_the_same_bits_in_chunks_of_any_size(seed, k, n, most):
    points = np.random.default_rng(seed).normal(size=(n, k))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simplex, "_MANY", 20 * k)  # some in one way, some in the other
        patch.setattr(chunks, "MOST_SAMPLES", most)
        parts = project_to_simplex(points)
        patch.setattr(chunks, "MOST_SAMPLES", n)
        assert_array_equal(project_to_simplex(points), parts)


@given(n=st.integers(0, 500), most=st.integers(1, 60), threads=st.integers(1, 5))
def test_chunks_are_even_and_keep_all_threads_busy(n, most, threads):
    parts = chunks.cut(n, most, threads)
    assert [i for part in parts for i in range(part.start, part.stop)] == list(range(n))
    sizes = [part.stop - part.start for part in parts]
    assert max(sizes) - min(sizes) <= 1
    assert max(sizes) <= most * (1 if threads == 1 else chunks.THREADED)
    assert len(parts) >= min(threads, -(-n // most))  # none idle unless chunks were tiny


def test_a_prepared_decoder_may_be_called_by_many_threads():
    code = CODES["one-vs-one"](5)
    decoder, q = make_decoder(code, decoder="least-squares"), random_outputs(code, seed=2, n=200)
    alone = decoder(q)
    found = in_threads(lambda: lambda _: decoder(q), range(8), n_jobs=4)
    for one in found:
        assert_array_equal(one, alone)


def test_the_error_names_the_first_offending_row_whoever_finds_it():
    code = CODES["one-vs-one"](3)
    q = np.full((70, 3), 0.5)
    q[20, 1], q[24, 0], q[60, 2] = 1.5, -3.0, np.nan
    for n_jobs in (1, 2, 4):
        with pytest.raises(InvalidInput, match=r"outputs\[20, 1\] is 1\.5"):
            decode(code, q, n_jobs=n_jobs)


def test_an_error_is_that_of_the_first_item_and_stops_the_rest():
    begun, gate = [], threading.Barrier(2, timeout=200)

    def work(item):
        begun.append(item)
        if item < 2:
            gate.wait()  # both fail, the second perhaps earlier
            raise ValueError(f"item {item}")

    with pytest.raises(ValueError, match="item 0"):
        in_threads(lambda: work, range(1000), n_jobs=2)
    assert len(begun) <= 3


def test_threads_run_at_the_same_time():
    gate = threading.Barrier(3, timeout=200)  # breaks unless three wait together
    assert in_threads(lambda: lambda _: gate.wait(), range(3), n_jobs=3)
    assert threading.active_count() < 10


def test_each_thread_prepares_its_own_work():
    gate, made = threading.Barrier(2, timeout=200), []

    def prepare():
        made.append(threading.get_ident())
        return lambda _: gate.wait()

    in_threads(prepare, range(2), n_jobs=2)
    assert len(set(made)) == 2
    made.clear()
    in_threads(lambda: made.append(0) or (lambda _: None), range(5))
    assert made == [0]


def test_threads_are_counted_as_joblib_does(monkeypatch):
    assert count_threads(None) == 1
    assert count_threads(2) == 2
    assert count_threads(-1) >= 1
    assert count_threads(100) == 4  # no more than processors
    with joblib.parallel_config(backend="threading", n_jobs=3):
        assert count_threads(None) == 3
        assert count_threads(1) == 1
    monkeypatch.delitem(chunks.sys.modules, "joblib")
    assert count_threads(None) == 1


@pytest.mark.parametrize("n_jobs", [0, 1.5, "2", True])
def test_what_is_no_number_of_threads_is_refused(n_jobs):
    with pytest.raises(InvalidInput, match=r"n_jobs is .*; expected None, 1 or more threads"):
        decode(CODES["one-vs-one"](3), [[0.5, 0.5, 0.5]], n_jobs=n_jobs)


def test_blas_has_one_thread_in_each_and_gets_the_others_back():
    from threadpoolctl import threadpool_info

    def blas():
        return [library["num_threads"] for library in threadpool_info()]

    before = blas()
    for inside in in_threads(lambda: lambda _: blas(), range(2), n_jobs=2):
        assert set(inside) <= {1} | set(before)
        assert 1 in inside
    assert blas() == before
