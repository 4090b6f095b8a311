"""SIGTERM becomes an ordinary exit where it is ours to take."""

import os
import signal
import threading

import pytest

from polychotomy.study.workers.runner import closing_on_terminate


def test_sigterm_raises_and_the_default_comes_back():
    with pytest.raises(SystemExit) as caught, closing_on_terminate():
        os.kill(os.getpid(), signal.SIGTERM)
    assert caught.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_handler_of_the_programs_own_is_left_alone():
    seen = []
    signal.signal(signal.SIGTERM, lambda number, frame: seen.append(number))
    try:
        with closing_on_terminate():
            os.kill(os.getpid(), signal.SIGTERM)
        assert seen == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def test_threads_do_without():
    failures = []

    def work():
        try:
            with closing_on_terminate():
                pass
        except Exception as error:
            failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert failures == []
