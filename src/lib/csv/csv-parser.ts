export type CsvLimits = { cells: number; length: number };
export type CsvFault = 'malformed' | 'too many cells' | 'cell too long';

export class CsvFormatError extends Error {
  readonly fault: CsvFault;
  readonly record: number;

  constructor(fault: CsvFault, record: number) {
    super(`${fault} in record ${record}`);
    this.fault = fault;
    this.record = record;
  }
}

const quote = 34;
const comma = 44;
const newline = 10;
const carriageReturn = 13;
const marks = new Set([quote, comma, newline, carriageReturn]);

type State = 'start of cell' | 'plain' | 'quoted' | 'after quote';

/**
 * An incremental RFC 4180 parser in linear time: returns the records that each chunk completes. Skips empty lines; records may
 * differ in their number of cells. Throws CsvFormatError.
 */
export function createCsvParser({ cells: maxCells, length: maxLength }: CsvLimits) {
  let state: State = 'start of cell';
  let cell = '';
  let record: string[] = [];
  let number = 1;

  const fail = (fault: CsvFault): never => {
    throw new CsvFormatError(fault, number);
  };

  function endCell(): void {
    if (record.length === maxCells) fail('too many cells');
    record.push(cell);
    cell = '';
  }

  function endRecord(done: string[][]): void {
    const isEmpty = record.length === 0 && state === 'start of cell';
    if (!isEmpty) {
      endCell();
      done.push(record);
      record = [];
      number += 1;
    }
    state = 'start of cell';
  }

  /** Whether the character ends a cell. CRLF ends a record and an empty line, which is skipped. */
  function separate(code: number, done: string[][]): boolean {
    if (code === comma) {
      endCell();
      state = 'start of cell';
      return true;
    }
    if (code !== newline && code !== carriageReturn) return false;
    endRecord(done);
    return true;
  }

  function takeText(text: string, from: number): number {
    const end = state === 'quoted' ? /"|$/g : /[",\r\n]|$/g;
    end.lastIndex = from;
    const to = end.exec(text)?.index ?? text.length;
    if (cell.length + to - from > maxLength) fail('cell too long');
    cell += text.slice(from, to);
    return to;
  }

  function takeMark(code: number, done: string[][]): void {
    if (state === 'quoted') state = 'after quote';
    else if (code === quote && state === 'start of cell') state = 'quoted';
    else if (code === quote && state === 'after quote') {
      cell += '"';
      state = 'quoted';
    } else if (!separate(code, done)) fail('malformed');
  }

  return {
    push(text: string): string[][] {
      const done: string[][] = [];
      for (let at = 0; at < text.length; at += 1) {
        if (state === 'start of cell' && !marks.has(text.charCodeAt(at))) state = 'plain';
        if (state === 'plain' || state === 'quoted') at = takeText(text, at);
        if (at < text.length) takeMark(text.charCodeAt(at), done);
      }
      return done;
    },

    end(): string[][] {
      if (state === 'quoted') fail('malformed');
      const done: string[][] = [];
      endRecord(done);
      return done;
    },
  };
}
