// The viewer's texts in one language: the dictionary's entries with their gaps filled.
export class Words {
  constructor(strings) {
    this.strings = strings;
    const number = (options) => new Intl.NumberFormat(strings.locale, options);
    this.whole = number({maximumFractionDigits: 0});
    this.share = number({style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1});
    this.short = number({maximumSignificantDigits: 3});
    this.precise = number({minimumFractionDigits: 2, maximumFractionDigits: 2});
  }

  t(key, gaps = {}) {
    const text = this.strings[key];
    if (text === undefined) throw new Error(`the viewer has no text for ${key}`);
    return text.replace(/\{(\w+)\}/g, (gap, name) => gaps[name] ?? gap);
  }

  color(turn) { return this.t(turn === "white" ? "white" : "black"); }

  outcome({winner, reason}) {
    const why = this.strings[`reason.${reason}`] ?? reason.replaceAll("_", " ");
    return winner ? this.t("wins", {who: this.color(winner), why}) : this.t("drawn", {why});
  }

  // A value between -1 and 1 as alpha-beta sees it; null is infinite.
  value(value, infinite = "∞") {
    if (value === null) return infinite;
    return (value > 0 ? "+" : value < 0 ? "−" : "") + this.precise.format(Math.abs(value));
  }
}
