/** Data files of many visits, in each form. */
export const numbers = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => 10_001 + index)
const day = (index: number): string => `2026-11-${String(1 + (index % 28)).padStart(2, '0')}`
const visits = (count: number) =>
  numbers(count).map((number, index) => ({
    patient_id: `P${number}`,
    visit_date: day(index),
    last_name: `Sample${index}`,
    file: `P${number}_1.jpg`,
    eye: index % 2 === 0 ? 'OD' : 'OS',
  }))

export const FILES = [
  ['a JSON list', 'list.json', (count: number) => JSON.stringify(visits(count))],
  [
    'an XML document',
    'list.xml',
    (count: number) =>
      `<visits>${visits(count)
        .map(
          (one) =>
            `<visit>${Object.entries(one)
              .map(([name, value]) => `<${name}>${value}</${name}>`)
              .join('')}</visit>`,
        )
        .join('')}</visits>`,
  ],
  [
    'a table',
    'list.csv',
    (count: number) =>
      [
        'patient_id;visit_date;last_name;file;eye',
        ...visits(count).map((one) => Object.values(one).join(';')),
        '',
      ].join('\n'),
  ],
] as const
