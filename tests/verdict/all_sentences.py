"""All that a verdict says, without the breaks of lines that its text has."""


def all_sentences(verdict):
    """The sentences, one after the other."""
    return " ".join(sentence.text for sentence in verdict.sentences())


def unwrapped(text):
    """A text in one line, without the marks of lists."""
    return " ".join(text.replace("\n• ", "\n").split())
