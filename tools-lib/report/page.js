
// Draws the report from the JSON in #result. Text from the result goes through textContent or onto a canvas,
// never through HTML.
"use strict";
(() => {
  const result = JSON.parse(document.getElementById("result").textContent);
  const page = document.getElementById("page");
  const charts = [];

  // ---- building blocks

  const element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    made.append(...children.filter((child) => child !== null && child !== undefined).map(
      (child) => child instanceof Node ? child : document.createTextNode(String(child))));
    return made;
  };
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = (value, digits = 2) => value === null || value === undefined ? "" : value.toFixed(digits);
  const signed = (value) => {
    if (value === null || value === undefined) return "";
    const text = value.toFixed(2);
    return Number(text) === 0 ? "0.00" : (value > 0 ? "+" : "−") + text.replace("-", "");
  };
  const general = (value) => value === null || value === undefined ? "" : Number(value.toPrecision(4)).toString();
  const plural = (count, word) => count + " " + word + (count === 1 ? "" : "s");
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const distinct = (values) => [...new Set(values)];
  const option_text = (value) => value === null ? "auto" : String(value);
  const words = (options) => Object.entries(options).map(([name, value]) => name + "=" + option_text(value)).join(" ");

  const section = (title, explanation, ...children) => {
    page.append(element("h2", {}, title), explanation ? element("p", { class: "soft" }, explanation) : "",
      ...children.filter(Boolean));
  };
  const tiles = (entries) => element("div", { class: "tiles" }, ...entries.filter(Boolean).map(
    ([value, label]) => element("div", { class: "tile" }, element("b", {}, value), element("span", {}, label))));

  // Rows of cells: the first row is the header, the first cell of each the row's name. A cell is text, or
  // {text, small, class, tint: [css colour, 0…1]}.
  const table = (id, rows, dense = false) => {
    const cell = (tag, content) => {
      const what = content !== null && typeof content === "object" ? content : { text: content };
      const made = element(tag, what.class ? { class: what.class } : {}, what.text ?? "",
        what.small ? element("small", {}, what.small) : null);
      if (what.tint) made.style.backgroundColor = `rgba(${css(what.tint[0])}, ${what.tint[1]})`;
      return made;
    };
    const line = (row) => {
      const cells = Array.isArray(row) ? row : row.cells;
      return element("tr", row.class ? { class: row.class } : {}, cell("th", cells[0]),
        ...cells.slice(1).map((content) => cell("td", content)));
    };
    const head = element("thead", {}, element("tr", {}, ...rows[0].map((content) => cell("th", content))));
    return element("div", { class: "scroll" }, element("table", { id, class: dense ? "dense" : "" }, head,
      element("tbody", {}, ...rows.slice(1).map(line))));
  };

  // ---- charts

  const kColours = ["#4c78a8", "#f58518", "#54a24b", "#e45756", "#8f6bb3", "#b79a20", "#2ba6a0", "#d67195",
    "#8c6d4f", "#7f8894"];
  const colour = (i, count) => count <= kColours.length ? kColours[i % kColours.length]
    : `hsl(${Math.round(360 * i / count)}, ${i % 2 ? 75 : 50}%, ${i % 3 === 0 ? 42 : 56}%)`;

  const figure = (id, title, caption, config, shape = "") => {
    const canvas = element("canvas", { id, role: "img", "aria-label": title });
    const plot = element("div", { class: "plot " + shape }, canvas);
    // Bars across: room for the name of each.
    if (config.options.indexAxis === "y") plot.style.height = `${Math.max(12, 4 + 1.6 * config.data.labels.length)}rem`;
    charts.push([canvas, config]);
    return element("figure", {}, element("h3", {}, title), plot, caption ? element("figcaption", {}, caption) : null);
  };
  const axis = (title, more = {}) => ({
    title: { display: Boolean(title), text: title, color: css("--soft") },
    ticks: { color: css("--soft"), ...(more.type === "logarithmic" ? { callback: general, maxTicksLimit: 8 } : {}), ...(more.ticks || {}) },
    grid: { color: css("--line") },
    ...Object.fromEntries(Object.entries(more).filter(([name]) => name !== "ticks")),
  });
  const options = (x, y, more = {}) => ({
    animation: false,
    maintainAspectRatio: false,
    scales: { x, y },
    ...more,
    plugins: { legend: { labels: { color: css("--ink"), boxWidth: 14 } }, ...(more.plugins || {}) },
  });
  const without_legend = { plugins: { legend: { display: false } } };

  const lines = (series, title, logarithmic = false) => ({
    type: "line",
    data: {
      labels: Array.from({ length: Math.max(...series.map(([, values]) => values.length)) }, (_, i) => i + 1),
      datasets: series.map(([name, values], i) => ({
        label: name, data: values, borderColor: colour(i, series.length), backgroundColor: colour(i, series.length),
        borderWidth: 2, pointRadius: values.length > 60 ? 0 : 2.5, spanGaps: true,
      })),
    },
    options: options(axis("iteration", { ticks: { maxTicksLimit: 12 } }), axis(title, logarithmic
      ? { type: "logarithmic" } : {}), series.length > 1 ? {} : without_legend),
  });
  const bars = (labels, datasets, title, more = {}) => ({
    type: "bar",
    data: {
      labels,
      datasets: datasets.map(([label, data], i) => ({
        label, data, backgroundColor: css(i === 0 ? "--accent" : "--second"), maxBarThickness: 38,
      })),
    },
    options: options(axis(""), axis(title, more.y || {}),
      { indexAxis: more.across ? "y" : "x", ...(datasets.length > 1 ? {} : without_legend),
        ...(more.across ? { scales: { x: axis(title, more.y || {}), y: axis("", { ticks: { autoSkip: false } }) } } : {}) }),
  });

  const draw_charts = () => {
    for (const [canvas, config] of charts) new Chart(canvas, config);
  };

  // ---- an adaptation

  const scatter = (view, places, classes) => {
    const of = (domain) => {
      const at = [...places.keys()].filter((i) => view.points.domain[i] === domain);
      const colours = at.map((i) => colour(view.points.label[i], classes.length));
      const wrong = at.map((i) => domain === "target" && view.points.truth[i] !== null &&
        view.points.truth[i] !== view.points.label[i]);
      return {
        label: domain,
        data: at.map((i) => ({ x: places[i][0], y: places[i][1], i })),
        pointStyle: domain === "source" ? "circle" : wrong.map((is) => is ? "crossRot" : "triangle"),
        pointRadius: domain === "source" ? 2.5 : 4,
        borderWidth: 1.2,
        borderColor: colours,
        backgroundColor: domain === "source" ? colours.map(() => "transparent") : colours,
      };
    };
    const name = (id) => id === null ? null : id < 0 ? "another class" : classes[id];
    return {
      type: "scatter",
      data: { datasets: [of("source"), of("target")] },
      options: options(axis("first component"), axis("second component"), {
        plugins: {
          legend: { display: false },
          tooltip: {
            callbacks: {
              label: ({ raw, dataset }) => {
                const truth = name(view.points.truth[raw.i]);
                const text = `${dataset.label} sample ${view.points.sample[raw.i]}: ${classes[view.points.label[raw.i]]}`;
                return dataset.label === "source" || truth === null ? text : `${text} (in truth ${truth})`;
              },
            },
          },
        },
      }),
    };
  };

  const class_legend = (classes) => element("div", { class: "legend", id: "classes" }, ...classes.map((name, i) => {
    const chip = element("i", {});
    chip.style.backgroundColor = colour(i, classes.length);
    return element("span", {}, chip, name);
  }));

  const kMostClasses = 40; // beyond that a matrix by classes is no longer read
  const class_matrix = (id, rows, row_names, column_names, corner, text, share) => table(id, [
    [corner, ...column_names],
    ...rows.map((row, i) => [row_names[i], ...row.map((value, j) => (
      { text: text(value), tint: ["--heat", Math.min(0.7, share(value, i, j)).toFixed(3)] }))]),
  ], true);

  const curves = (series) => {
    const of = (test) => Object.entries(series).filter(([name, values]) => test(name) && values.some((v) => v !== null));
    const changes = of((name) => name === "label_changes");
    const objective = of((name) => /objective|energy/.test(name));
    const residual = of((name) => /residual|gradient_norm/.test(name));
    const rank = of((name) => /rank$/.test(name));
    const rest = of((name) => ![...changes, ...objective, ...residual, ...rank].some(([other]) => other === name));
    const positive = (some) => some.every(([, values]) => values.every((value) => value === null || value > 0));
    return [
      objective.length && figure("objective", "Objective", "", lines(objective, "")),
      residual.length && figure("residuals", "Residuals", "Zeros do not show on a logarithmic axis.", lines(residual, "", true)),
      changes.length && figure("changes", "Pseudo labels that changed", "0: the labels have settled.", lines(changes, "samples")),
      rank.length && figure("rank", "Rank of the reconstruction", "", lines(rank, "")),
      rest.length && figure("terms", "Other quantities", "Click a name to hide it.", lines(rest, "", positive(rest))),
    ].filter(Boolean);
  };

  const reconstruction = (view, classes) => {
    const z = view.reconstruction;
    const ends = (counts) => counts.reduce((all, count) => [...all, (all[all.length - 1] || 0) + count], []);
    const owner = (limits, place) => limits.findIndex((end) => place < end);
    const rows = ends(z.source_counts);
    const columns = ends(z.target_counts);
    const largest = Math.max(...z.entries.map(([, , weight]) => Math.abs(weight)));
    const inside = z.entries.filter(([row, column]) => owner(rows, row) === owner(columns, column)).length;
    const entry = ([row, column, weight]) => ({ x: column, y: row, weight });
    const picture = figure("reconstruction", "Largest entries of Z, sorted by class",
      `${inside} of ${z.entries.length} link equal classes (coloured by the source's class); the larger the dot, the larger the weight.`, {
        type: "scatter",
        data: {
          datasets: [{
            label: "entries", data: z.entries.map(entry),
            pointRadius: z.entries.map(([, , weight]) => 1 + 3 * Math.abs(weight) / largest), borderWidth: 0,
            backgroundColor: z.entries.map(([row]) => colour(owner(rows, row), classes.length)),
          }],
        },
        options: options(axis("target sample, by pseudo label", { min: 0, max: columns[columns.length - 1] }),
          axis("source sample, by class", { min: 0, max: rows[rows.length - 1], reverse: true }), {
            plugins: {
              legend: { display: false },
              tooltip: {
                callbacks: {
                  label: ({ raw }) => `${classes[owner(rows, raw.y)]} → ${classes[owner(columns, raw.x)]}: ${raw.weight}`,
                },
              },
            },
          }),
      }, "square");
    const blocks = classes.length <= kMostClasses ? element("figure", {},
      element("h3", {}, "Which source classes rebuild which target classes"),
      class_matrix("blocks", z.blocks, classes, classes, "from \\ to", (value) => value.toFixed(2), (value) => value),
      element("figcaption", {}, "Share of |Z|; each column sums to 1. A strong diagonal: targets are rebuilt from the class they are given.")) : null;
    return element("div", { class: "grid" }, picture, blocks);
  };

  const shell_word = (text) => /^[\w@%+=:,./-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";

  const adaptation = () => {
    const { view, classes, target, report } = result;
    const before = view.mmd.before;
    const after = view.mmd.after;
    const known = target.accuracy !== null;
    const short = (value) => Number(value.toPrecision(3)).toString();
    document.title = `Isthmus: ${result.method}`;
    page.append(element("h1", {}, `Adaptation by ${result.method}`), element("p", { class: "lead", id: "summary" },
      `${plural(target.samples, "target sample")} labelled from ${plural(view.source_samples, "source sample")} of ${plural(classes.length, "class").replace("classs", "classes")}. `,
      known ? `${number(target.accuracy)} % of the labels agree with the target's own, which were used for this figure only. ` : "The target's own labels are not known, so accuracy cannot be told. ",
      `The fit ${report.status === "converged" ? "converged" : `ended (${report.status})`}${report.iterations ? " after " + plural(report.iterations, "iteration") : ""}.`));
    page.append(tiles([
      known && [number(target.accuracy) + " %", "accuracy"],
      [number(100 * target.mean_confidence, 1) + " %", "mean confidence"],
      [`${short(before.marginal)} → ${short(after.marginal)}`, "distance of the domains (MMD)"],
      [`${short(before.conditional)} → ${short(after.conditional)}`, "the same, class by class"],
    ]));
    for (const warning of report.warnings || []) page.append(element("p", { class: "note" }, "Warning: " + warning));
    for (const note of report.notes) page.append(element("p", { class: "note" }, "Note: " + note));

    section("Before and after", "Source (rings) and target (triangles; crosses where the label is known to be wrong) in the first two principal components. Targets have the colour of their pseudo label.",
      class_legend(classes), element("div", { class: "grid" },
        figure("before", "Before", "samples as prepared", scatter(view, view.points.before, classes), "square"),
        figure("after", "After", "samples in the joint subspace", scatter(view, view.points.after, classes), "square")),
      element("p", { class: "note" }, `${view.points.sample.length} of ${view.source_samples + view.target_samples} samples are drawn.`));
    section("How far apart the domains are", "Squared distance of the domains' means over the total variance (MMD with a linear kernel): of all samples, and averaged over classes with the target's pseudo labels. Smaller is closer.",
      element("div", { class: "grid" }, figure("mmd", "MMD", "", bars(["all samples", "class by class"],
        [["before", [before.marginal, before.conditional]], ["after", [after.marginal, after.conditional]]], ""))));
    const drawn = curves(report.series);
    if (drawn.length) section("The fit, iteration by iteration", "", element("div", { class: "grid" }, ...drawn));
    if (view.reconstruction) section("Reconstruction of the target from the source", "", reconstruction(view, classes));
    if (view.outliers) {
      section("Outliers", "Target samples with the largest part that no source sample explains (columns of E).",
        table("outliers", [["sample", "label", "outlier score", "confidence"], ...view.outliers.map((one) => (
          [one.sample, { text: classes[one.label], class: "text" }, general(one.score), number(one.confidence)]))]));
    }
    const per_class = view.per_class;
    section("Samples per class", "", table("counts", [
      ["class", "source", "target, predicted", ...(per_class.true ? ["target, true"] : [])],
      ...classes.map((name, i) => [name, per_class.source[i], per_class.predicted[i], ...(per_class.true ? [per_class.true[i]] : [])]),
    ]));
    if (view.confusion && classes.length <= kMostClasses) {
      section("Confusion matrix", "Rows: true class; columns: label given.", class_matrix("confusion", view.confusion,
        [...classes, "another class"], classes, "true \\ given", (value) => value || "",
        (value, i) => value / Math.max(1, sum(view.confusion[i]))));
    }
    const inputs = result.inputs || {};
    const command = ["isthmus", "adapt", "--source", inputs.source ?? "SOURCE", ...(inputs.source_labels ? ["--source-labels", inputs.source_labels] : []),
      "--target", inputs.target ?? "TARGET", ...(inputs.target_labels ? ["--target-labels", inputs.target_labels] : []),
      ...["id", "drop", "features"].flatMap((flag) => inputs[flag] ? ["--" + flag, inputs[flag]] : []), ...(inputs.by_position ? ["--by-position"] : []), "--method", result.method,
      "--preprocess", result.preprocessing, ...Object.entries(result.options).flatMap(([name, value]) => ["-O", `${name}=${option_text(value)}`]),
      "--seed", String(inputs.seed ?? 0), "-o", "labels.csv"];
    section("To repeat it", "", element("pre", { id: "command" }, command.map(shell_word).join(" ")), table("settings", [
      ["setting", { text: "value", class: "text" }],
      ...[["source", inputs.source], ["target", inputs.target], ["preparation", result.preprocessing],
        ...Object.entries(result.options).map(([name, value]) => [name, option_text(value)]), ["seed", inputs.seed], ["threads", inputs.threads],
        ["version", "isthmus " + result.version], ["BLAS", inputs.blas]]
        .filter(([, value]) => value !== undefined).map(([name, value]) => [name, { text: value, class: "wrap" }]),
    ]));
  };

  // ---- a benchmark

  const bench = () => {
    const { cells, averages, comparison } = result;
    if (!cells.length) {
      page.append(element("h1", {}, `Benchmark ${result.suite}`), element("p", { class: "lead", id: "summary" }, "No cell was finished."));
      return;
    }
    const methods = distinct(cells.map((cell) => cell.method));
    const tasks = distinct(cells.map((cell) => cell.task));
    const seeds = distinct(cells.map((cell) => cell.seed));
    const bad = cells.filter((cell) => cell.status !== "ok");
    const logged = cells.filter((cell) => cell.from_log);
    const mark = (some) => some.some((cell) => cell.from_log) ? "*" : "";
    const published = cells.some((cell) => cell.published !== null);
    const of = (task, method) => cells.filter((cell) => cell.task === task && cell.method === method);
    const overall = methods.map((method) => averages.find((one) => one.method === method && one.tasks === "all"));
    const best = overall.reduce((top, one) => (one.accuracy ?? -1) > (top.accuracy ?? -1) ? one : top);
    const tint = (difference) => difference === null ? null
      : [difference <= -0.005 ? "--bad" : "--good", Math.min(0.45, 0.1 + Math.abs(difference) / 15).toFixed(3)];
    const entry = (accuracy, deviation, reference) => {
      const difference = accuracy === null || reference === null ? null : accuracy - reference;
      return {
        text: number(accuracy) + (deviation === null ? "" : ` ± ${number(deviation)}`),
        small: reference === null ? (published ? "–" : "") : `${number(reference)}  ${signed(difference)}`,
        tint: tint(difference),
      };
    };
    const task_cell = (task, method) => {
      const repeated = of(task, method);
      const values = repeated.filter((cell) => cell.accuracy !== null).map((cell) => cell.accuracy);
      if (repeated.length === 0) return "not run";
      if (values.length === 0) return { text: repeated[0].status + mark(repeated), tint: ["--bad", 0.3] };
      const mean = sum(values) / values.length;
      const deviation = values.length < 2 ? null : Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / (values.length - 1));
      const shown = entry(mean, deviation, repeated[0].published);
      return { ...shown, text: shown.text + mark(repeated) };
    };

    document.title = `Isthmus: ${result.suite}`;
    page.append(element("h1", {}, `Benchmark ${result.suite}`), element("p", { class: "lead", id: "summary" },
      `${plural(methods.length, "method")} on ${plural(tasks.length, "task")}${seeds.length > 1 ? ` with ${seeds.length} seeds each` : ""}. `,
      best.accuracy === null ? "" : `The best mean accuracy is ${number(best.accuracy)} %, by ${best.method}. `,
      bad.length ? `${bad.length} of ${plural(cells.length, "cell")} gave no result.` : `All ${plural(cells.length, "cell")} gave a result.`,
      logged.length ? ` ${logged.length} of them, marked *, came from the log of an earlier run.` : ""));
    page.append(tiles([
      best.accuracy !== null && [number(best.accuracy) + " %", `best mean accuracy (${best.method})`],
      [cells.length - bad.length + " / " + cells.length, "cells with a result"],
      [number(sum(cells.map((cell) => cell.seconds)), 1) + " s", "time in all"],
      [number(Math.max(...cells.map((cell) => cell.peak_mib)), 0) + " MiB", "largest memory of a cell"],
    ]));

    const groups = distinct(averages.map((one) => one.tasks));
    section("Accuracy", published ? "In percent. Below it the published value and the difference: green where ours is higher, red where it is lower."
      : seeds.length > 1 ? "In percent, mean ± standard deviation over the seeds." : "In percent.",
    table("accuracy", [["task", ...methods], ...tasks.map((task) => [task, ...methods.map((method) => task_cell(task, method))]),
      ...groups.map((group) => ({
        class: "sum",
        cells: ["average " + group, ...methods.map((method) => {
          const one = averages.find((average) => average.method === method && average.tasks === group);
          return entry(one.accuracy, null, one.published);
        })],
      }))]));
    const compared = comparison ? Object.keys(comparison.mean_ranks) : [];
    const references = overall.map((one) => one.published);
    section("At a glance", "", element("div", { class: "grid" },
      figure("averages", "Mean accuracy over all tasks, %", "", bars(methods, [["ours", overall.map((one) => one.accuracy)],
        ...(references.some((value) => value !== null) ? [["published", references]] : [])], "", { across: true })),
      figure("seconds", "Seconds, all cells", "", bars(methods, [["seconds", methods.map((method) => (
        sum(cells.filter((cell) => cell.method === method).map((cell) => cell.seconds))))]], "", { across: true, y: { type: "logarithmic" } })),
      figure("memory", "Largest memory of a cell, MiB", "", bars(methods, [["MiB", methods.map((method) => (
        Math.max(...cells.filter((cell) => cell.method === method).map((cell) => cell.peak_mib))))]], "", { across: true })),
      comparison && figure("ranks", "Mean rank (1 is best)", `Ranks closer than ${number(comparison.critical_difference)} do not differ (Nemenyi, 0.05).`,
        bars(compared, [["mean rank", compared.map((method) => comparison.mean_ranks[method])]], "", { across: true, y: { min: 0 } }))));
    if (comparison) {
      const p = (a, b) => comparison.pairs.find((pair) => [pair.first, pair.second].includes(a) && [pair.first, pair.second].includes(b)).p;
      section("Do the methods differ?", `p values of the Wilcoxon signed-rank test over ${comparison.blocks} ${comparison.over}, Holm-corrected over all pairs. Tinted: below 0.05.`,
        table("pairs", [["p", ...compared], ...compared.map((a) => [a, ...compared.map((b) => {
          if (a === b) return "";
          const value = p(a, b);
          return { text: value < 0.0001 ? "< 0.0001" : value.toFixed(4), tint: value < 0.05 ? ["--heat", 0.3] : null };
        })])]));
    }
    if (bad.length) {
      section("Cells without a result", "", table("failed", [["cell", "seed", { text: "what happened", class: "text" }],
        ...bad.map((cell) => [`${cell.task}, ${cell.method}`, cell.seed, { text: `${cell.status}: ${cell.problem ?? ""}`, class: "wrap" }])]));
    }
    const phases = (cell) => cell.report.seconds.map((phase) => `${phase.phase} ${number(phase.seconds, 2)}`).join(", ");
    section("Cells", "Settings are what differs from the method's defaults.", table("cells", [
      ["task", { text: "method", class: "text" }, "seed", "accuracy", "seconds", "MiB", { text: "preparation", class: "text" }, { text: "settings", class: "text" }, { text: "seconds by phase", class: "text" }],
      ...cells.map((cell) => [cell.task, { text: cell.method, class: "text" }, cell.seed, (cell.accuracy === null ? cell.status : number(cell.accuracy)) + mark([cell]), number(cell.seconds), number(cell.peak_mib, 0),
        { text: cell.preprocessing, class: "text" }, { text: words(cell.settings) || "defaults", class: "wrap" }, { text: phases(cell), class: "wrap" }])]));
    section("To repeat it", "", table("settings", [["setting", { text: "value", class: "text" }], ...[["suite", result.suite], ["version", "isthmus " + result.version], ["BLAS", result.blas],
      ["threads", result.threads], ["seeds", seeds.join(", ")]].map(([name, value]) => [name, { text: value, class: "wrap" }])]));
  };

  // ---- a label-free choice

  const selection = () => {
    const { score } = result;
    const chosen = result.winner === null ? null : result.rows[result.winner];
    // The best first, what has no score last.
    const ranking = result.ranking ?? [...result.rows.keys()];
    const rows = [...ranking.map((i) => result.rows[i]), ...result.rows.filter((_, i) => !ranking.includes(i))];
    const scored = rows.filter((row) => typeof row.scores[score] === "number");
    const scores = distinct(rows.flatMap((row) => Object.keys(row.scores)));
    const known = rows.some((row) => typeof row.accuracy === "number");
    const name = (row) => row.method + (Object.keys(row.options).length ? " " + words(row.options) : "");
    const direction = result.higher_is_better === undefined ? "" : ` (${result.higher_is_better ? "higher" : "lower"} is better)`;
    // What the method made of values that the chosen setting leaves to it.
    const used = chosen && result.model ? Object.fromEntries(Object.entries(result.model.options)
      .filter(([option, value]) => chosen.options[option] === null && value !== null)) : {};
    const became = Object.keys(used).length ? ` (used: ${words(used)})` : "";
    document.title = "Isthmus: selection";
    page.append(element("h1", {}, "Choice without target labels"), element("p", { class: "lead", id: "summary" },
      `${plural(rows.length, "setting")} tried, ranked by ${score}${direction}. ${chosen ? `Chosen: ${name(chosen)}${became}.` : "None could be chosen."} `,
      known ? "Accuracies are shown for comparison; the choice did not look at them." : ""));
    page.append(tiles([chosen && [chosen.method, "chosen method"], chosen && [general(chosen.scores[score]), score],
      chosen && typeof chosen.accuracy === "number" && [number(chosen.accuracy) + " %", "its accuracy (not used)"]]));
    section("All settings", "", table("rows", [["setting", ...scores, ...(known ? ["accuracy (not used)"] : [])],
      ...rows.map((row) => ({
        class: row === chosen ? "winner" : "",
        cells: [{ text: row.method, small: words(row.options) },
          ...scores.map((one) => typeof row.scores[one] === "number" ? general(row.scores[one]) : row.status ?? ""),
          ...(known ? [number(row.accuracy)] : [])],
      }))]));
    section("The score", "", element("div", { class: "grid" }, figure("scores", score, "", bars(scored.map(name), [[score, scored.map((row) => row.scores[score])]], "", { across: true })),
      known && figure("against", "Score against accuracy", "What the score cannot see: a good score follows the accuracy.", {
        type: "scatter",
        data: { datasets: [{ label: "settings", data: scored.map((row) => ({ x: row.scores[score], y: row.accuracy })), pointRadius: 5,
          backgroundColor: scored.map((row) => css(row === chosen ? "--second" : "--accent")) }] },
        options: options(axis(score), axis("accuracy, %"), { plugins: { legend: { display: false },
          tooltip: { callbacks: { label: ({ dataIndex }) => name(scored[dataIndex]) } } } }),
      })));
  };

  // ---- drawing, again when the colours change

  const render = () => {
    for (const [canvas] of charts) Chart.getChart(canvas)?.destroy();
    charts.length = 0;
    page.replaceChildren();
    ({ adaptation, bench, selection })[result.kind]();
    draw_charts();
  };
  const print = (on) => {
    document.documentElement.classList.toggle("printing", on);
    render();
  };
  render();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", render);
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
})();
