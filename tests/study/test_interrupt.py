"""Ctrl-C is taken over only where it is ours to take, and given back."""

import signal
import threading

import pytest

from polychotomy.study.workers.runner import stopping_on_interrupt


@pytest.mark.parametrize("inherited", [signal.default_int_handler, signal.SIG_IGN])
def test_the_first_is_noted_the_second_raises(caplog, inherited):
    before = signal.signal(signal.SIGINT, inherited)
    try:
        with stopping_on_interrupt() as stopping:
            assert not stopping()
            signal.raise_signal(signal.SIGINT)
            assert stopping()
            assert "Ctrl-C stops now" in caplog.text
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is inherited
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_handler_of_the_programs_own_is_left_alone():
    seen = []
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        with stopping_on_interrupt() as stopping:
            signal.raise_signal(signal.SIGINT)
            assert not stopping()
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [signal.SIGINT]


def test_threads_may_run_studies_too():
    asked, before = [], signal.getsignal(signal.SIGINT)

    def run():
        with stopping_on_interrupt() as stopping:
            asked.append(stopping())

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert asked == [False]
    assert signal.getsignal(signal.SIGINT) is before
