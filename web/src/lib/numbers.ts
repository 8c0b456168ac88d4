const forms = [
  /^\d+([.,]\d+)?$/, // 12, 1.5, 1,5
  /^\d{1,3}(,\d{3})+(\.\d+)?$/, // 1,000 and 1,234.5
];

/** A typed decimal number; undefined for anything else. A comma before exactly three digits separates thousands. */
export function parseNumber(text: string): number | undefined {
  const plain = text.normalize('NFKC').replace(/\s/g, '');
  if (!forms.some((form) => form.test(plain))) return undefined;
  const isGrouped = /^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(plain);
  return Number(isGrouped ? plain.replaceAll(',', '') : plain.replace(',', '.'));
}
