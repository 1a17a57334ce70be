#!/usr/bin/env python3
"""report_test.py PROGRAM FOLDER: makes reports with the program and looks at them in a real browser.

Pictures and pages stay in FOLDER. Exit code 77 (skipped) where no browser is found.
"""

import json
import os
import shlex
import subprocess
import sys
import unittest

from chromium import Browser, find_browser

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM, FOLDER = sys.argv[1:3]

CHARTS = """[...document.querySelectorAll("canvas")].map((canvas) => {
  const chart = Chart.getChart(canvas);
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let painted = 0;
  for (let i = 3; i < pixels.length; i += 4) painted += pixels[i] > 0;
  return [canvas.id, {type: chart.config.type, sets: chart.data.datasets.map((set) => set.data.length), painted}];
})"""


def table_text(name):
    return f"""[...document.querySelectorAll("#{name} tr")].map((row) => [...row.children].map((cell) => cell.innerText))"""


def isthmus(*arguments, code=0):
    done = subprocess.run([PROGRAM, *arguments, "--quiet"], cwd=FOLDER, capture_output=True, text=True)
    if done.returncode != code:
        raise AssertionError(f"isthmus {' '.join(arguments)}: {done.stderr}")


def path(name):
    return os.path.join(FOLDER, name)


def read_json(name):
    with open(path(name), encoding="utf-8") as file:
        return json.load(file)


def write(name, text):
    with open(path(name), "w", encoding="utf-8") as file:
        file.write(text)


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(find_browser())

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, name, **how):
        """Opens a page, which must neither complain nor ask for anything but itself."""
        self.browser.open(path(name), **how)
        self.assertEqual(self.browser.problems, [])
        self.assertEqual(self.browser.requests, ["file://" + os.path.abspath(path(name))])

    def charts(self):
        charts = dict(self.browser.value(CHARTS))
        for name, chart in charts.items():
            self.assertGreater(chart["painted"], 500, f"{name} is empty")
        return charts

    def look_everywhere(self, name):
        """Pictures on a desk, on a phone, in the dark and on paper; nothing may stick out on a phone."""
        stem = name.removesuffix(".html")
        self.browser.screenshot(path(stem + ".png"))
        light = self.browser.value("getComputedStyle(document.body).backgroundColor")
        self.open(name, dark=True)
        self.assertNotEqual(self.browser.value("getComputedStyle(document.body).backgroundColor"), light)
        self.browser.screenshot(path(stem + "-dark.png"))
        self.open(name, width=390, height=800)
        self.assertLessEqual(self.browser.value("document.documentElement.scrollWidth"), 390)
        self.charts()
        self.browser.screenshot(path(stem + "-phone.png"))
        self.assertTrue(self.browser.pdf(path(stem + ".pdf")).startswith(b"%PDF"))

    def test_adaptation(self):
        isthmus("demo", "--write-data", "demo", "--source-count", "200", "--target-count", "150")
        isthmus("adapt", "--source", "demo/source.csv", "--target", "demo/target.csv", "--method", "rsa-cdda",
                "--drop", "f1,f2", "-O", "explain=true", "-o", "labels.csv", "--report", "adaptation.json", "--html", "adaptation.html")
        result = read_json("adaptation.json")
        self.open("adaptation.html")
        charts = self.charts()
        self.assertEqual(charts["before"]["sets"], [200, 150])
        self.assertEqual(charts["after"]["sets"], [200, 150])
        self.assertEqual(charts["mmd"]["type"], "bar")
        rounds = len(result["report"]["series"]["label_changes"])
        self.assertEqual(charts["changes"]["sets"], [rounds])
        for name in ("objective", "reconstruction"):
            self.assertIn(name, charts)
        self.assertIn(f"{result['target']['accuracy']:.2f} %", self.browser.value("document.getElementById('summary').innerText"))
        confusion = self.browser.value(table_text("confusion"))
        self.assertEqual([[int(cell or 0) for cell in row[1:]] for row in confusion[1:]], result["view"]["confusion"])
        outliers = self.browser.value(table_text("outliers"))
        self.assertEqual([int(row[0]) for row in outliers[1:]], [one["sample"] for one in result["view"]["outliers"]])
        self.assertEqual(len(self.browser.value(table_text("blocks"))), 11)
        self.look_everywhere("adaptation.html")
        # The same page from the JSON alone.
        isthmus("report", "adaptation.json", "-o", "again.html")
        with open(path("adaptation.html"), "rb") as one, open(path("again.html"), "rb") as other:
            self.assertEqual(one.read(), other.read())
        # The command on the page gives the labels again.
        with open(path("labels.csv"), encoding="utf-8") as labels:
            before = labels.read()
        self.open("again.html")
        command = shlex.split(self.browser.value("document.getElementById('command').innerText"))
        os.remove(path("labels.csv"))
        isthmus(*command[1:])
        with open(path("labels.csv"), encoding="utf-8") as labels:
            self.assertEqual(labels.read(), before)

    def test_text_is_shown_as_text(self):
        names = ["<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "\"quoted\" & 'single'", "</script>"]
        rows = ["a,b,c,d,label"]
        for i in range(40):
            kind = i % 4
            name = names[kind].replace('"', '""')
            rows.append(",".join(str((3 if j == kind else 1) + 0.01 * ((7 * i + 3 * j) % 11)) for j in range(4)) + f',"{name}"')
        write("<b>evil.csv", "\n".join(rows) + "\n")
        isthmus("adapt", "--source", "<b>evil.csv", "--target", "<b>evil.csv", "--method", "pca", "-O", "components=2",
                "-o", "labels.csv", "--html", "text.html")
        self.open("text.html")
        shown = self.browser.value("[...document.querySelectorAll('#classes span')].map((one) => one.textContent)")
        self.assertEqual(sorted(shown), sorted(names))
        self.assertEqual(self.browser.value("document.scripts.length"), 3)
        self.assertEqual(self.browser.value("document.images.length + document.querySelectorAll('main b b, main script').length"), 0)
        self.assertIn("<b>evil.csv", self.browser.value("document.getElementById('command').innerText"))
        self.browser.screenshot(path("text.png"))

    def test_demo(self):
        # One method cannot do what is asked of it: the rest is shown all the same.
        isthmus("bench", "demo", "--methods", "nn,pca:components=20,jda:components=20;rounds=2,tca:components=5000",
                "--seeds", "0,1,2", "--source-count", "100", "--target-count", "100", "--out", "demo.json",
                "--html", "demo.html", code=1)
        result = read_json("demo.json")
        self.open("demo.html")
        charts = self.charts()
        self.assertEqual(charts["averages"]["sets"], [4])
        accuracy = self.browser.value(table_text("accuracy"))
        self.assertEqual(accuracy[0], ["task", "nn", "pca:components=20", "jda:components=20;rounds=2", "tca:components=5000"])
        values = [cell["accuracy"] for cell in result["cells"] if cell["method"] == "nn"]
        self.assertTrue(accuracy[1][1].startswith(f"{sum(values) / 3:.2f} ± "), accuracy[1])
        self.assertEqual(accuracy[1][4], "failed")
        self.assertEqual(len(self.browser.value(table_text("failed"))), 4)
        self.assertEqual(charts["ranks"]["sets"], [3], "what failed has no rank")
        self.look_everywhere("demo.html")

    def test_table1(self):
        isthmus("report", os.path.join(HERE, "table1.json"), "-o", "table1.html")
        with open(os.path.join(HERE, "table1.json"), encoding="utf-8") as file:
            result = json.load(file)
        self.open("table1.html")
        charts = self.charts()
        self.assertEqual(charts["averages"]["sets"], [2, 2], "ours and published")
        self.assertEqual(charts["ranks"]["sets"], [2])
        accuracy = self.browser.value(table_text("accuracy"))
        self.assertEqual(len(accuracy), 1 + 16 + 4)
        for row in accuracy[1:17]:
            for method, text in zip(accuracy[0][1:], row[1:]):
                cell = next(one for one in result["cells"] if one["task"] == row[0] and one["method"] == method)
                self.assertEqual(text.split()[:2], [f"{cell['accuracy']:.2f}", f"{cell['published']:.2f}"])
        self.look_everywhere("table1.html")

    def test_selection(self):
        rows = [{"method": "nn", "options": {}, "scores": {"entropy": 0.5}, "seconds": 0.1, "accuracy": 40.0},
                {"method": "pca", "options": {}, "scores": {}, "seconds": 0.0, "status": "failed"},
                {"method": "jda", "options": {"components": None}, "scores": {"entropy": 0.7}, "seconds": 2.0, "accuracy": 60.0}]
        write("selection.json", json.dumps({"kind": "selection", "score": "entropy", "rows": rows, "ranking": [2, 0], "winner": 2,
                                            "model": {"method": "jda", "options": {"components": 20, "lambda": 1}}}))
        isthmus("report", "selection.json", "-o", "selection.html")
        self.open("selection.html")
        self.assertEqual(self.charts()["scores"]["sets"], [2])
        shown = self.browser.value(table_text("rows"))
        self.assertEqual([row[0].split()[0] for row in shown[1:]], ["jda", "nn", "pca"], "the best first, the failed last")
        self.assertEqual(shown[3][1], "failed")
        self.assertIn("jda", self.browser.value("document.querySelector('tr.winner').innerText"))
        self.assertIn("jda components=auto (used: components=20)", self.browser.value("document.getElementById('summary').innerText"))
        self.look_everywhere("selection.html")


if __name__ == "__main__":
    if find_browser() is None:
        print("skipped: no Chromium here (tools/setup --checks installs one)")
        sys.exit(77)
    os.makedirs(FOLDER, exist_ok=True)
    unittest.main(argv=sys.argv[:1], verbosity=2)
