import type { Row } from './run-class.ts'

const HEADINGS = [
  'fault',
  'runs',
  'struck',
  'lost',
  'doubled',
  'wrong center',
  'false "sent"',
  'longest recovery',
  'notes',
]

function notesOf(row: Row): string {
  const bad = [
    ...(row.wrongBytes > 0 ? [`${row.wrongBytes} WRONG BYTES OR EYES`] : []),
    ...(row.notFound > 0 ? [`${row.notFound} NOT FOUND`] : []),
    ...(row.restless > 0 ? [`${row.restless} RUNS WITHOUT REST`] : []),
    ...(row.struck === 0 ? ['DID NOT STRIKE'] : []),
    ...row.untold.map((text) => `UNTOLD: ${text}`),
  ]
  return [...bad, ...row.notes].join(', ')
}

/** The rows of the table, its headings first. */
export function tableOf(rows: readonly Row[]): readonly (readonly string[])[] {
  return [
    HEADINGS,
    ...rows.map((row) =>
      row.notTried === null
        ? [
            row.fault,
            String(row.runs),
            String(row.struck),
            String(row.lost),
            String(row.doubled),
            String(row.wrongCenter),
            String(row.falseSent),
            row.longestRecoverySeconds === null ? '-' : `${row.longestRecoverySeconds.toFixed(1)} s`,
            notesOf(row),
          ]
        : [row.fault, '-', '-', '-', '-', '-', '-', '-', `not tried: ${row.notTried}`],
    ),
  ]
}
