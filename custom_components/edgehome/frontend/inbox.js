// EdgeHome's inbox: what waits for me, as it was and as it would be, with the time that is left.
// A plain custom element; Home Assistant sets `hass` and `narrow`. All foreign text goes in as text, never as markup.

const WORDS = {
  en: {
    title: "EdgeHome", nothing: "Nothing waits for you.", stranger: "You are not an approver of this home. An administrator can make you one under Settings, Devices & services, EdgeHome.",
    asks: "asks", risk: "Risk", reason: "Its reason, unchecked:", skipped: "Left out", approve: "Approve", reject: "Reject",
    left: "s left", given: "Approved by", needed: "people needed", late: "Too late: this has been answered already.", gone: "No connection to EdgeHome.",
  },
  de: {
    title: "EdgeHome", nothing: "Nichts wartet auf Sie.", stranger: "Sie sind in diesem Zuhause niemand, der zustimmen darf. Das richtet ein Administrator unter Einstellungen, Geräte & Dienste, EdgeHome ein.",
    asks: "fragt", risk: "Risiko", reason: "Seine Begründung, ungeprüft:", skipped: "Ausgelassen", approve: "Erlauben", reject: "Ablehnen",
    left: "s übrig", given: "Zugestimmt", needed: "Personen nötig", late: "Zu spät: das ist schon beantwortet.", gone: "Keine Verbindung zu EdgeHome.",
  },
  zh: {
    title: "EdgeHome", nothing: "没有等待您处理的请求。", stranger: "您不是此家庭的审批人。管理员可在“设置 → 设备与服务 → EdgeHome”中添加。",
    asks: "请求", risk: "风险", reason: "其理由（未经核实）：", skipped: "已略过", approve: "同意", reject: "拒绝",
    left: "秒后过期", given: "已同意", needed: "人需同意", late: "太迟了：该请求已被处理。", gone: "无法连接 EdgeHome。",
  },
};

const STYLE = `
  :host { display: block; min-height: 100%; background: var(--primary-background-color); color: var(--primary-text-color); font-family: var(--ha-font-family-body, Roboto, sans-serif); }
  header { display: flex; align-items: center; gap: 8px; height: 56px; padding: 0 12px; background: var(--app-header-background-color, var(--primary-color)); color: var(--app-header-text-color, #fff); font-size: 20px; }
  main { max-width: 560px; margin: 0 auto; padding: 16px; }
  p.empty { text-align: center; color: var(--secondary-text-color); padding: 32px 8px; }
  article { background: var(--card-background-color); border-radius: 12px; border: 1px solid var(--divider-color); padding: 16px; margin-bottom: 16px; }
  h2 { font-size: 18px; font-weight: 500; margin: 0 0 8px; overflow-wrap: anywhere; }
  ul { list-style: none; padding: 0; margin: 12px 0; }
  li { padding: 8px 0; border-top: 1px solid var(--divider-color); overflow-wrap: anywhere; }
  li span { color: var(--secondary-text-color); }
  .risk { display: inline-block; padding: 2px 10px; border-radius: 10px; font-size: 14px; color: #fff; background: #2e7d32; }
  .risk.serious { background: #b26a00; } .risk.critical { background: #b3261e; }
  blockquote { margin: 12px 0; padding: 8px 12px; border-left: 3px solid var(--divider-color); color: var(--secondary-text-color); overflow-wrap: anywhere; }
  .time { height: 4px; background: var(--divider-color); border-radius: 2px; margin: 12px 0 4px; overflow: hidden; } .time div { height: 100%; background: var(--primary-color); }
  small { color: var(--secondary-text-color); }
  .buttons { display: flex; gap: 12px; margin-top: 12px; }
  button { flex: 1; min-height: 48px; border-radius: 24px; border: 0; font-size: 16px; font-weight: 500; cursor: pointer; }
  button.yes { background: var(--primary-color); color: var(--text-primary-color, #fff); } button.no { background: transparent; color: #b3261e; border: 1px solid #b3261e; }
  button[disabled] { opacity: 0.5; }
  .said { color: #b3261e; }
`;

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

class EdgeHomeInbox extends HTMLElement {
  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    this._content = null;
    this._said = "";
  }

  set hass(hass) {
    const first = !this._hass;
    this._hass = hass;
    this._words = WORDS[(hass.language || "en").slice(0, 2)] || WORDS.en;
    if (this._menu) this._menu.hass = hass;
    if (first) this._subscribe();
  }

  set narrow(narrow) {
    this._narrow = narrow;
    if (this._menu) this._menu.narrow = narrow;
  }

  connectedCallback() {
    this._clock = setInterval(() => this._tick(), 1000);
    if (this._hass && !this._stop) this._subscribe();
  }

  disconnectedCallback() {
    clearInterval(this._clock);
    if (this._stop) this._stop.then((stop) => stop()).catch(() => {});
    this._stop = undefined;
  }

  _subscribe() {
    this._draw();
    this._stop = this._hass.connection.subscribeMessage(
      (content) => { this._content = content; this._draw(); },
      { type: "edgehome/inbox/subscribe" },
    );
    this._stop.catch(() => { this._said = this._words.gone; this._draw(); });
  }

  async _answer(question, yes, buttons) {
    for (const button of buttons) button.disabled = true;
    try {
      const result = await this._hass.connection.sendMessagePromise({ type: "edgehome/inbox/answer", trace_id: question.id, yes });
      this._said = result.taken ? "" : this._words.late;
    } catch (error) {
      this._said = error.message || this._words.gone;
    }
    this._draw();
  }

  _draw() {
    const header = element("header");
    this._menu = document.createElement("ha-menu-button");
    this._menu.hass = this._hass;
    this._menu.narrow = this._narrow;
    header.append(this._menu, element("span", this._words.title));
    const main = element("main");
    if (this._said) main.append(element("p", this._said, "said"));
    if (this._content && !this._content.approver) main.append(element("p", this._words.stranger, "empty"));
    else if (this._content && !this._content.questions.length) main.append(element("p", this._words.nothing, "empty"));
    else if (this._content) main.append(...this._content.questions.map((question) => this._card(question)));
    this.shadowRoot.replaceChildren(element("style", STYLE), header, main);
    this._tick();
  }

  _card(question) {
    const words = this._words;
    const card = element("article");
    card.dataset.id = question.id;
    const level = question.risk >= 5 ? " critical" : question.risk >= 3 ? " serious" : "";
    card.append(element("h2", `${question.agent} ${words.asks}`), element("span", `${words.risk} ${question.risk}`, `risk${level}`));
    const list = element("ul");
    for (const action of question.actions) {
      const item = element("li", `${action.operation.replaceAll("_", " ")}: ${action.name} `);
      item.append(element("span", `${action.before ?? "?"} → ${action.after || "?"}`));
      list.append(item);
    }
    if (question.skipped.length) list.append(element("li", `${words.skipped}: ${question.skipped.join(", ")}`));
    card.append(list);
    if (question.reason) {
      const quote = element("blockquote", `${words.reason} “${question.reason}”`);
      card.append(quote);
    }
    const bar = element("div", undefined, "time");
    bar.append(element("div"));
    const left = element("small");
    if (question.people > 1) left.dataset.note = ` · ${question.people} ${words.needed}` + (question.given.length ? ` · ${words.given}: ${question.given.join(", ")}` : "");
    card.append(bar, left);
    const yes = element("button", words.approve, "yes");
    const no = element("button", words.reject, "no");
    yes.disabled = question.mine;
    yes.addEventListener("click", () => this._answer(question, true, [yes, no]));
    no.addEventListener("click", () => this._answer(question, false, [yes, no]));
    const buttons = element("div", undefined, "buttons");
    buttons.append(no, yes);
    card.append(buttons);
    return card;
  }

  _tick() {
    for (const card of this.shadowRoot.querySelectorAll("article")) {
      const question = this._content.questions.find((item) => item.id === card.dataset.id);
      if (!question) continue;
      const end = Date.parse(question.expires_at);
      const left = Math.max(0, Math.round((end - Date.now()) / 1000));
      const whole = Math.max(1, (end - Date.parse(question.asked_at)) / 1000);
      card.querySelector(".time div").style.width = `${Math.min(100, (100 * left) / whole)}%`;
      const small = card.querySelector("small");
      small.textContent = `${left} ${this._words.left}${small.dataset.note || ""}`;
    }
  }
}

customElements.define("edgehome-inbox", EdgeHomeInbox);
