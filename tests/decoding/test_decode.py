"""The door to the decoders: what it accepts, refuses and hands on."""

import numpy as np
import pytest
from decoding_strategies import CODES, random_outputs
from numpy.testing import assert_allclose, assert_array_equal

from polychotomy.codes import one_vs_one, one_vs_rest
from polychotomy.core.exceptions import InvalidCode, InvalidInput
from polychotomy.decoding import (
    decode_bradley_terry,
    decode_least_squares,
    decode_loss,
    decode_votes,
)
from polychotomy.decoding.decode import decode

BY_NAME = {
    "bradley-terry": decode_bradley_terry,
    "least-squares": decode_least_squares,
    "votes": decode_votes,
    "loss": decode_loss,
}


@pytest.mark.parametrize("decoder", BY_NAME)
@pytest.mark.parametrize("name", CODES)
def test_it_is_the_function_of_that_name(decoder, name):
    code = CODES[name](4)
    q = random_outputs(code, seed=0)
    assert_array_equal(decode(code, q, decoder=decoder), BY_NAME[decoder](code, q))


def test_the_default_is_bradley_terry():
    q = [[0.9, 0.4, 0.7]]
    assert_array_equal(decode(one_vs_one(3), q), decode_bradley_terry(one_vs_one(3), q))


@pytest.mark.parametrize("decoder", BY_NAME)
@pytest.mark.parametrize("name", CODES)
def test_kinds_of_input(decoder, name):
    code = CODES[name](4)
    q = random_outputs(code, seed=0, n=6)
    expected = decode(code, q, decoder=decoder)
    assert expected.dtype == np.float64
    assert expected.shape == (6, 4)
    for other in (q.tolist(), np.asfortranarray(q), np.repeat(q, 2, axis=0)[::2]):
        assert_allclose(decode(code.tolist(), other, decoder=decoder), expected, atol=1e-13)
    single = decode(code, q.astype(np.float32), decoder=decoder)
    assert_allclose(single, expected, atol=1e-4)
    assert_allclose(decode(code, q[:1], decoder=decoder), expected[:1], atol=1e-12)
    assert decode(code, q[:0], decoder=decoder).shape == (0, 4)
    hard = (q > 0.5).astype(int)
    assert_allclose(
        decode(code, hard, decoder=decoder), decode(code, hard.astype(bool), decoder=decoder)
    )


@pytest.mark.parametrize("decoder", BY_NAME)
@pytest.mark.parametrize("name", CODES)
def test_inputs_are_left_alone(decoder, name):
    code = CODES[name](4)
    q = random_outputs(code, seed=0)
    before, weights = q.copy(), np.ones(len(code))
    q.flags.writeable = False
    decode(code, q, decoder=decoder, weights=weights)
    assert_array_equal(q, before)
    assert_array_equal(weights, 1)


@pytest.mark.parametrize("decoder", BY_NAME)
@pytest.mark.parametrize("name", CODES)
def test_two_classes_keep_their_output(decoder, name):
    code = CODES[name](2)
    trained = (code != code[:, :1]).any(axis=1)
    outputs = np.where(trained, np.where(code[:, 0] > 0, 0.8, 0.2), 1.0)[None]
    expected = [[1, 0]] if decoder == "votes" else [[0.8, 0.2]]
    if decoder != "loss" or trained.sum() == 1:
        assert_allclose(decode(code, outputs, decoder=decoder), expected, atol=1e-10)


@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("decoder", BY_NAME)
def test_chunks_do_not_matter(name, decoder, monkeypatch):
    code = CODES[name](5)
    q = random_outputs(code, seed=0, n=23)
    whole = decode(code, q, decoder=decoder)
    monkeypatch.setattr("polychotomy.core.chunks.CACHE", 150)
    assert_allclose(decode(code, q, decoder=decoder), whole, atol=1e-12)


@pytest.mark.parametrize("decoder", BY_NAME)
@pytest.mark.parametrize(
    ("outputs", "message"),
    [
        ([0.9, 0.4, 0.7], r"shape \(3,\).*outputs\[np.newaxis\]"),
        ([[0.9, 0.4]], r"shape \(1, 2\); expected \(n, 3\)"),
        ([[0.9, 0.4, 0.7], [0.9, np.nan, 0.7]], r"outputs\[1, 1\] is nan"),
        ([[0.9, 0.4, 1.2]], r"outputs\[0, 2\] is 1.2"),
        ([[-0.1, 0.4, 0.7]], r"outputs\[0, 0\] is -0.1"),
        ([["a", "b", "c"]], "expected an array of real numbers"),
        (np.ones((1, 3), dtype=complex), "real numbers"),
    ],
)
def test_bad_outputs_are_named(decoder, outputs, message):
    with pytest.raises(InvalidInput, match=message):
        decode(one_vs_one(3), outputs, decoder=decoder)


def test_rounding_beyond_one_is_forgiven():
    q = np.array([[0.9, 0.4, 1 + 1e-12]])
    assert_allclose(decode(one_vs_one(3), q), decode(one_vs_one(3), np.minimum(q, 1)))


@pytest.mark.parametrize("decoder", BY_NAME)
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 1], r"shape \(2,\); expected \(3,\)"),
        ([1, -1, 1], r"weights\[1\] is -1"),
        ([1, 1, np.inf], r"weights\[2\] is inf"),
        ([0, 0, 0], "all zero"),
        (["a", "b", "c"], r"weights is .*expected an array of real"),
    ],
)
def test_bad_weights_are_named(decoder, weights, message):
    with pytest.raises(InvalidInput, match=message):
        decode(one_vs_one(3), [[0.9, 0.4, 0.7]], decoder=decoder, weights=weights)


def test_bad_codes_and_decoders_are_refused():
    with pytest.raises(InvalidCode, match="all zeros"):
        decode([[1, -1], [0, 0]], [[0.5, 0.5]])
    with pytest.raises(InvalidInput, match="decoder is 'max-wins'"):
        decode(one_vs_one(3), [[0.9, 0.4, 0.7]], decoder="max-wins")


@pytest.mark.parametrize("decode", [decode_bradley_terry, decode_least_squares])
def test_codes_that_leave_classes_uncompared_are_refused(decode):
    with pytest.raises(InvalidInput, match="class 2 is never compared with class 0"):
        decode([[1, -1, 0, 0], [0, 0, 1, -1]], [[0.5, 0.5]])


@pytest.mark.parametrize("decoder", BY_NAME)
@pytest.mark.parametrize("code", [one_vs_one(3), one_vs_rest(4), one_vs_one(40), one_vs_rest(40)])
def test_no_samples_have_no_probabilities(code, decoder):
    assert decode(code, np.empty((0, len(code))), decoder=decoder).shape == (0, code.shape[1])
