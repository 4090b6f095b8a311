"""
From a verdict to a service
===========================

The verdict names a classifier. Now somebody else's program should ask it for probabilities, tomorrow, on another machine.

In short: ``verdict.fit().save("tumours.skops")`` where it was judged, ``load_model("tumours.skops").predict_proba(rows)`` where
it is asked. This page goes all the way to a server that answers, and runs in a notebook as it is.
"""

# %%
# Judge
# -----

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from polychotomy import judge, load_model

data = load_breast_cancer(as_frame=True)
X, y = data.data, data.target.map({0: "malignant", 1: "benign"})
known, new = X.iloc[:400], X.iloc[400:]
logistic = make_pipeline(StandardScaler(), LogisticRegression())
verdict = judge({"naive Bayes": GaussianNB(), "logistic": logistic}, known, y[:400], anatomy=False)
verdict

# %%
# Fit, and keep
# -------------
#
# ``fit`` gives the winner, fitted to all rows that were judged and recalibrated as the verdict advises: a scikit-learn classifier.
# Its file holds no pickle: nothing in it runs when it is read.

import tempfile
from pathlib import Path

path = Path(tempfile.mkdtemp(), "tumours.skops")
verdict.fit().save(path)
model = load_model(path)
model

# %%
# Serve
# -----
#
# Any server will do; this one is Python's own. A row is an object with the columns by name, so that their order does not
# matter. Rows that the model cannot take are answered with the reason.

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pandas as pd


class Answer(BaseHTTPRequestHandler):
    def do_POST(self):
        rows = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            probabilities = model.predict_proba(pd.DataFrame(rows))
            status, answer = (
                200,
                pd.DataFrame(probabilities, columns=model.classes_).to_dict("records"),
            )
        except ValueError as error:
            status, answer = 400, {"error": str(error)}
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(answer).encode())

    def log_message(self, *_):
        """Print nothing."""


server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)  # on this machine only, at any free port
threading.Thread(target=server.serve_forever, daemon=True).start()

# %%
# Ask
# ---

from http.client import HTTPConnection


def ask(rows):
    connection = HTTPConnection(*server.server_address)
    connection.request("POST", "/", json.dumps(rows))
    response = connection.getresponse()
    return response.status, json.loads(response.read())


status, answers = ask(new.to_dict("records"))
print(status, {name: round(p, 3) for name, p in answers[0].items()})
print(*ask([{"mean radius": 12.0}]))

# %%
# The answers are those of the model itself, and on tumours that nobody has judged yet they tell the two kinds apart:

import matplotlib.pyplot as plt
import numpy as np

served = pd.DataFrame(answers)[list(model.classes_)].to_numpy()
np.testing.assert_allclose(served, model.predict_proba(new))

_, ax = plt.subplots(figsize=(6.4, 2.8), layout="constrained")
for name, colour in (("benign", "C0"), ("malignant", "C1")):
    shown = served[(y[400:] == name).to_numpy(), list(model.classes_).index("malignant")]
    ax.hist(shown, bins=np.linspace(0, 1, 21), color=colour, alpha=0.7, label=name)
ax.set(xlabel="probability of malignant, as served", ylabel="new tumours")
ax.legend(title="in truth")
plt.show()

# %%

server.shutdown()
