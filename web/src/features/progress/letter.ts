/** What a mail begins with, to be completed by hand. */
export type Letter = { subject: string; text: string };

/** Several people do not see each other's addresses. */
export function mailto(addresses: readonly string[], letter?: Letter): string {
  const [to, fields] =
    addresses.length === 1
      ? [encodeURIComponent(addresses[0] ?? '').replace('%40', '@'), []]
      : ['', [`bcc=${addresses.map(encodeURIComponent).join(',')}`]];
  const content =
    letter === undefined
      ? []
      : [
          `subject=${encodeURIComponent(letter.subject)}`,
          `body=${encodeURIComponent(letter.text.replaceAll('\n', '\r\n'))}`,
        ];
  const query = [...fields, ...content].join('&');
  return `mailto:${to}${query === '' ? '' : `?${query}`}`;
}
