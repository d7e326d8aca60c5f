// EdgeHome's inbox: what waits for me, as it was and as it would be, with the time that is left.
// A plain custom element; Home Assistant sets `hass` and `narrow`. All foreign text goes in as text, never as markup.

const WORDS = {
  en: {
    title: "EdgeHome", nothing: "Nothing waits for you.", stranger: "You are not an approver of this home. An administrator can make you one under Settings, Devices & services, EdgeHome.",
    asks: "asks", risk: "Risk", reason: "Its reason, unchecked:", skipped: "Left out", approve: "Approve", reject: "Reject",
    left: "s left", given: "Approved by", needed: "people needed", late: "Too late: this has been answered already.", gone: "No connection to EdgeHome.",
    while: "For 10 minutes", granted: "May be done without asking", used: "used", until: "until", end: "End it", by: "by",
    pin: "PIN", newPin: "New PIN", oldPin: "Present PIN", setPin: "Set PIN", changePin: "Change PIN", pinFor: "Some requests need your PIN. Only you know it; 4 to 64 characters.",
    pins: { ok: "Your PIN is set.", wrong: "That PIN is wrong.", locked: "Your PIN is locked after five wrong tries. An administrator can reset it under EdgeHome, Change approver.", unset: "You have no PIN yet: set one below.", unfit: "A PIN has 4 to 64 characters.", empty: "Type your PIN first." },
  },
  de: {
    title: "EdgeHome", nothing: "Nichts wartet auf Sie.", stranger: "Sie sind in diesem Zuhause niemand, der zustimmen darf. Das richtet ein Administrator unter Einstellungen, Geräte & Dienste, EdgeHome ein.",
    asks: "fragt", risk: "Risiko", reason: "Seine Begründung, ungeprüft:", skipped: "Ausgelassen", approve: "Erlauben", reject: "Ablehnen",
    left: "s übrig", given: "Zugestimmt", needed: "Personen nötig", late: "Zu spät: das ist schon beantwortet.", gone: "Keine Verbindung zu EdgeHome.",
    while: "Für 10 Minuten", granted: "Darf ohne Frage geschehen", used: "benutzt", until: "bis", end: "Beenden", by: "von",
    pin: "PIN", newPin: "Neue PIN", oldPin: "Bisherige PIN", setPin: "PIN festlegen", changePin: "PIN ändern", pinFor: "Manche Anfragen brauchen Ihre PIN. Nur Sie kennen sie; 4 bis 64 Zeichen.",
    pins: { ok: "Ihre PIN gilt.", wrong: "Diese PIN ist falsch.", locked: "Ihre PIN ist nach fünf falschen Versuchen gesperrt. Ein Administrator kann sie unter EdgeHome, Zustimmenden ändern, zurücksetzen.", unset: "Sie haben noch keine PIN: legen Sie unten eine fest.", unfit: "Eine PIN hat 4 bis 64 Zeichen.", empty: "Geben Sie zuerst Ihre PIN ein." },
  },
  zh: {
    title: "EdgeHome", nothing: "没有等待您处理的请求。", stranger: "您不是此家庭的审批人。管理员可在“设置 → 设备与服务 → EdgeHome”中添加。",
    asks: "请求", risk: "风险", reason: "其理由（未经核实）：", skipped: "已略过", approve: "同意", reject: "拒绝",
    left: "秒后过期", given: "已同意", needed: "人需同意", late: "太迟了：该请求已被处理。", gone: "无法连接 EdgeHome。",
    while: "允许 10 分钟", granted: "无需询问即可执行", used: "已用", until: "至", end: "结束", by: "由",
    pin: "PIN", newPin: "新 PIN", oldPin: "当前 PIN", setPin: "设置 PIN", changePin: "更改 PIN", pinFor: "部分请求需要您的 PIN。只有您知道；4 到 64 个字符。",
    pins: { ok: "PIN 已生效。", wrong: "PIN 错误。", locked: "连续五次输错，PIN 已锁定。管理员可在 EdgeHome 的“更改审批人”中重置。", unset: "您还没有 PIN：请在下方设置。", unfit: "PIN 为 4 到 64 个字符。", empty: "请先输入 PIN。" },
  },
};

const STYLE = `
  :host { display: block; min-height: 100%; background: var(--primary-background-color); color: var(--primary-text-color); font-family: var(--ha-font-family-body, Roboto, sans-serif); }
  header { display: flex; align-items: center; gap: 8px; height: 56px; padding: 0 12px; background: var(--app-header-background-color, var(--primary-color)); color: var(--app-header-text-color, #fff); font-size: 20px; }
  main { max-width: 560px; margin: 0 auto; padding: 16px; }
  p.empty { text-align: center; color: var(--secondary-text-color); padding: 32px 8px; }
  article, section { background: var(--card-background-color); border-radius: 12px; border: 1px solid var(--divider-color); padding: 16px; margin-bottom: 16px; }
  h2 { font-size: 18px; font-weight: 500; margin: 0 0 8px; overflow-wrap: anywhere; }
  ul { list-style: none; padding: 0; margin: 12px 0; }
  li { padding: 8px 0; border-top: 1px solid var(--divider-color); overflow-wrap: anywhere; }
  li span { color: var(--secondary-text-color); }
  .risk { display: inline-block; padding: 2px 10px; border-radius: 10px; font-size: 14px; color: #fff; background: #2e7d32; }
  .risk.serious { background: #b26a00; } .risk.critical { background: #b3261e; }
  blockquote { margin: 12px 0; padding: 8px 12px; border-left: 3px solid var(--divider-color); color: var(--secondary-text-color); overflow-wrap: anywhere; }
  .time { height: 4px; background: var(--divider-color); border-radius: 2px; margin: 12px 0 4px; overflow: hidden; } .time div { height: 100%; background: var(--primary-color); }
  small { color: var(--secondary-text-color); }
  .buttons { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 12px; } .buttons .plain { flex-basis: 100%; order: 1; }
  button { flex: 1; min-height: 48px; border-radius: 24px; border: 0; font-size: 16px; font-weight: 500; cursor: pointer; }
  button.yes { background: var(--primary-color); color: var(--text-primary-color, #fff); } button.no { background: transparent; color: #b3261e; border: 1px solid #b3261e; }
  button[disabled] { opacity: 0.5; }
  button.plain { background: transparent; color: var(--primary-color); border: 1px solid var(--divider-color); }
  input { box-sizing: border-box; width: 100%; min-height: 48px; margin-top: 12px; padding: 0 12px; font-size: 18px; border-radius: 8px; border: 1px solid var(--divider-color); background: var(--primary-background-color); color: var(--primary-text-color); }
  details { margin-top: 24px; color: var(--secondary-text-color); } summary { min-height: 48px; line-height: 48px; cursor: pointer; }
  .said { color: #b3261e; } .told { color: #2e7d32; }
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
      (content) => {
        // What was said about a question goes with it.
        const before = (this._content?.questions || []).map((question) => question.id).join();
        if (before !== content.questions.map((question) => question.id).join()) this._said = "";
        this._content = content;
        this._draw();
      },
      { type: "edgehome/inbox/subscribe", language: this._hass.language || "en" },
    );
    this._stop.catch(() => { this._say(this._words.gone); });
  }

  _say(text, isGood = false) {
    this._said = text;
    this._isGood = isGood;
    this._draw();
  }

  async _send(command, buttons, told) {
    for (const button of buttons) button.disabled = true;
    try {
      const result = await this._hass.connection.sendMessagePromise(command);
      this._say(...told(result));
    } catch (error) {
      this._say(error.message || this._words.gone);
    }
  }

  _answer(question, answer, buttons) {
    const command = { type: "edgehome/inbox/answer", trace_id: question.id, answer };
    if (question.pin && answer !== "no") {
      command.pin = this._taken(`pin-${question.id}`);
      if (!command.pin) return this._say(this._words.pins.empty);
    }
    return this._send(command, buttons, (result) => [result.taken ? "" : this._words.pins[result.pin] || this._words.late]);
  }

  _field(key, label) {
    const field = element("input");
    Object.assign(field, { type: "password", placeholder: label, autocomplete: "off", maxLength: 64 });
    field.setAttribute("aria-label", label);
    field.dataset.key = key;
    return field;
  }

  _taken(key) {
    const field = this.shadowRoot.querySelector(`input[data-key="${key}"]`);
    const typed = field ? field.value : "";
    if (field) field.value = "";
    return typed;
  }

  _draw() {
    const fields = [...this.shadowRoot.querySelectorAll("input")];
    const typed = Object.fromEntries(fields.map((field) => [field.dataset.key, field.value]));
    const focus = this.shadowRoot.activeElement?.dataset?.key;
    const isOpen = this.shadowRoot.querySelector("details")?.open;
    const header = element("header");
    this._menu = document.createElement("ha-menu-button");
    this._menu.hass = this._hass;
    this._menu.narrow = this._narrow;
    header.append(this._menu, element("span", this._words.title));
    const main = element("main");
    if (this._said) main.append(element("p", this._said, this._isGood ? "told" : "said"));
    if (this._content && !this._content.approver) main.append(element("p", this._words.stranger, "empty"));
    else if (this._content) {
      if (!this._content.questions.length) main.append(element("p", this._words.nothing, "empty"));
      main.append(...this._content.questions.map((question) => this._card(question)));
      main.append(...this._content.grants.map((grant) => this._grant(grant)));
      main.append(this._pin(isOpen));
    }
    this.shadowRoot.replaceChildren(element("style", STYLE), header, main);
    // What is being typed outlives a change of what is shown.
    for (const field of this.shadowRoot.querySelectorAll("input")) {
      field.value = typed[field.dataset.key] || "";
      if (field.dataset.key === focus) field.focus();
    }
    this._tick();
  }

  _grant(grant) {
    const words = this._words;
    const card = element("section");
    card.dataset.until = grant.until;
    card.append(element("h2", `${words.granted}: ${grant.agent}`));
    const list = element("ul");
    for (const action of grant.actions) list.append(element("li", action));
    const time = new Date(grant.until).toLocaleTimeString(this._hass.language, { hour: "2-digit", minute: "2-digit" });
    const end = element("button", words.end, "no");
    end.addEventListener("click", () => this._send({ type: "edgehome/inbox/revoke", grant_id: grant.id }, [end], () => [""]));
    const buttons = element("div", undefined, "buttons");
    buttons.append(end);
    card.append(list, element("small", `${words.until} ${time} · ${words.used} ${grant.used}× · ${words.by} ${grant.by.join(", ")}`), buttons);
    return card;
  }

  _pin(isOpen) {
    const words = this._words;
    const box = element("details");
    const isSet = this._content.pin !== "unset";
    box.open = isOpen || this._content.questions.some((question) => question.pin && !isSet);
    const set = element("button", isSet ? words.changePin : words.setPin, "plain");
    set.addEventListener("click", () => this._send(
      { type: "edgehome/inbox/set_pin", new: this._taken("new"), ...(isSet ? { old: this._taken("old") } : {}) },
      [set], (result) => [words.pins[result.pin], result.pin === "ok"],
    ));
    box.append(element("summary", isSet ? words.changePin : words.setPin), element("p", this._content.pin === "locked" ? words.pins.locked : words.pinFor));
    if (isSet) box.append(this._field("old", words.oldPin));
    const buttons = element("div", undefined, "buttons");
    buttons.append(set);
    box.append(this._field("new", words.newPin), buttons);
    return box;
  }

  _card(question) {
    const words = this._words;
    const card = element("article");
    card.dataset.id = question.id;
    const level = question.risk >= 5 ? " critical" : question.risk >= 3 ? " serious" : "";
    card.append(element("h2", `${question.agent} ${words.asks}`), element("span", `${words.risk} ${question.risk}`, `risk${level}`));
    const list = element("ul");
    for (const action of question.actions) {
      const item = element("li", `${action.what} `);
      item.append(element("span", `${action.before ?? "?"} → ${action.after || "?"}`));
      list.append(item);
    }
    for (const also of question.also) list.append(element("li", `+ ${also}`));
    if (question.unread) list.append(element("li", question.unread, "said"));
    if (question.doubtful) list.append(element("li", question.doubtful, "said"));
    if (question.skipped.length) list.append(element("li", `${words.skipped}: ${question.skipped.join(", ")}`));
    card.append(list);
    if (question.spoken) card.append(element("p", question.spoken, "said"));
    if (question.reason) {
      const quote = element("blockquote", `${words.reason} “${question.reason}”`);
      card.append(quote);
    }
    const bar = element("div", undefined, "time");
    bar.append(element("div"));
    const left = element("small");
    if (question.people > 1) left.dataset.note = ` · ${question.people} ${words.needed}` + (question.given.length ? ` · ${words.given}: ${question.given.join(", ")}` : "");
    card.append(bar, left);
    const answers = [[words.reject, "no", "no"], ...(question.grantable ? [[words.while, "plain", "yes_for_a_while"]] : []), [words.approve, "yes", "yes"]];
    const all = answers.map(([label, look, answer]) => {
      const button = element("button", label, look);
      button.disabled = question.mine && answer !== "no";
      button.addEventListener("click", () => this._answer(question, answer, all));
      return button;
    });
    if (question.pin) {
      const field = this._field(`pin-${question.id}`, words.pin);
      field.addEventListener("keydown", (event) => { if (event.key === "Enter") this._answer(question, "yes", all); });
      card.append(field);
    }
    const buttons = element("div", undefined, "buttons");
    buttons.append(...all);
    card.append(buttons);
    return card;
  }

  _tick() {
    for (const card of this.shadowRoot.querySelectorAll("section")) {
      if (Date.parse(card.dataset.until) <= Date.now()) card.remove();
    }
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
