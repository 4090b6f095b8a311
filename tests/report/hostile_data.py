"""What an attacker, or an unlucky user, may put into names and messages."""

from sklearn.base import BaseEstimator, ClassifierMixin

PAYLOADS = [
    "<script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "</script></style></svg></title><b>bold</b>",
    "{{ 7*7 }} {% if %} ${7*7} $x^2$ $$",
    "\"quotes\" & 'more' 🌱 עברית",
]


class Broken(ClassifierMixin, BaseEstimator):
    """Fails with a message of the user's choice."""

    def __init__(self, message=""):
        self.message = message

    def fit(self, X, y):
        raise ValueError(self.message)

    def predict(self, X):
        return X
