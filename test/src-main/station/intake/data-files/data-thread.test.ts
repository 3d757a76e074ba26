import { describe, expect, it, onTestFinished } from 'vitest'
import { readDataFile } from '../../../../../src-main/station/intake/data-files/data-files.ts'
import { openDataReader } from '../../../../../src-main/station/intake/data-files/data-thread.ts'
import { readPatientList } from '../../../../../src-main/station/intake/patient-list.ts'
import { stationPorts } from '../../../../tools/station-ports.ts'

const OPTIONS = { columns: {}, dateOrder: 'ymd', nameOrder: 'lastFirst' } as const
const LIST_OPTIONS = { columns: {}, dateOrder: 'ymd' } as const

function openReader(workerUrl = stationPorts().workers.data): ReturnType<typeof openDataReader> {
  const reader = openDataReader({ workerUrl })
  onTestFinished(() => reader.close())
  return reader
}

const numbers = (count: number): readonly number[] =>
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

const FILES = [
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

const patientsOf = (count: number): Buffer =>
  Buffer.from(
    [
      'NHC;Apellidos;Nombre',
      ...numbers(count).map((number) => `${number};Muster${number};Ana`),
      // Two people under one number.
      '10001;Otrosample;Eva',
      '',
    ].join('\n'),
  )

// Reading so much takes a busy machine a while.
describe.each(FILES)('%s', { timeout: 60_000 }, (_what, name, textOf) => {
  it('that is large is read in a thread as it is read at once', async () => {
    const bytes = Buffer.from(textOf(3_000))
    expect(bytes.length).toBeGreaterThan(100_000)
    const reading = await openReader().readFile(name, bytes, OPTIONS)
    expect(reading).toEqual(readDataFile(name, bytes, OPTIONS))
    expect(reading).toMatchObject({ ok: true, form: 'table' })
  })

  it('of 20,000 visits is read, and of one more refused whole, with the reason', () => {
    expect(readDataFile(name, Buffer.from(textOf(20_000)), OPTIONS)).toMatchObject({
      ok: true,
      records: { length: 20_000 },
    })
    expect(readDataFile(name, Buffer.from(textOf(20_001)), OPTIONS)).toMatchObject({
      ok: false,
      isForeign: false,
      message: expect.stringContaining('20,000') as string,
    })
  })
})

it('a long patient list is read in a thread as it is read at once', async () => {
  const bytes = patientsOf(5_000)
  const reading = await openReader().readPatients(bytes, LIST_OPTIONS)
  expect(reading).toEqual(readPatientList(bytes, LIST_OPTIONS))
  expect(reading).toMatchObject({ ok: true, list: { patients: { size: 4_999 }, shared: { size: 1 } } })
})

it('a thread that ends without an answer is an error for its caller, and closing ends one that reads', async () => {
  const silent = new URL('data:text/javascript,process.exit(3)')
  await expect(openReader(silent).readFile('a.csv', patientsOf(5_000), OPTIONS)).rejects.toThrow(
    'without an answer',
  )
  const endless = openReader(new URL('data:text/javascript,for(;;);'))
  const reading = endless.readFile('a.csv', patientsOf(5_000), OPTIONS)
  await endless.close()
  await expect(reading).rejects.toThrow('without an answer')
})
