/**
 * While a browser translates the page, it takes each text out of the document and shows an element of its own instead.
 * Preact would go on changing the text that nobody sees, and would fail to remove it.
 *
 * So the text is put back, empty, before that element, until Preact changes or removes it: then the element is removed,
 * and the browser translates the new text. If the browser shows the original again, the text gets back what it had.
 */
export function keepTextsCurrent(root: Node): void {
  const translations = new WeakMap<Node, { shown: Element; original: string }>();
  const observer = new MutationObserver((records) => {
    for (const { type, target, removedNodes } of records) {
      if (type === 'characterData') drop(target);
      for (const node of removedNodes) if (node instanceof Text) follow(node);
    }
    for (const record of records)
      for (const shown of record.addedNodes) if (isTranslation(shown)) keep(shown, record, records);
    observer.takeRecords(); // of what has been done here
  });

  /** Preact has written another text. */
  function drop(text: Node): void {
    translations.get(text)?.shown.remove();
    translations.delete(text);
  }

  /** Preact has removed or moved the text, or a browser shows the original in the place of its element. */
  function follow(text: Text): void {
    const known = translations.get(text);
    if (known === undefined) return;
    if (!text.isConnected) drop(text);
    else if (known.shown.isConnected) text.after(known.shown);
    else {
      text.data = known.original;
      translations.delete(text);
    }
  }

  function keep(shown: Element, { removedNodes }: MutationRecord, records: readonly MutationRecord[]): void {
    const beside = records.filter(
      ({ previousSibling, nextSibling }) => previousSibling === shown || nextSibling === shown,
    );
    const texts = [...removedNodes, ...beside.flatMap((record) => [...record.removedNodes])];
    const text = texts.find((node): node is Text => node instanceof Text && !node.isConnected);
    if (text === undefined || !shown.isConnected) return;
    translations.set(text, { shown, original: text.data });
    text.data = '';
    shown.before(text);
  }

  observer.observe(root, { childList: true, characterData: true, subtree: true });
}

/** Google Translate and the browsers that use it show `<font>`, which nothing else does. */
const isTranslation = (node: Node): node is Element => node instanceof HTMLElement && node.localName === 'font';
