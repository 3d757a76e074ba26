import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type DataFileReading,
  readDataFile,
  type SidecarList,
} from '../../../../../src-main/station/reader/data-files/data-files.ts'
import type { Sidecar } from '../../../../../src-main/station/cases/meaning/sources.ts'
import { openDataReader } from '../../../../../src-main/station/reader/data-files/data-thread.ts'
import { readPatientList } from '../../../../../src-main/station/reader/patient-list.ts'
import { stationPorts } from '../../../../tools/station-ports.ts'
import { FILES, numbers } from './many-visits.ts'

const OPTIONS = { columns: {}, dateOrder: 'ymd', nameOrder: 'lastFirst' } as const
const LIST_OPTIONS = { columns: {}, dateOrder: 'ymd' } as const

function openReader(workerUrl = stationPorts().workers.data): ReturnType<typeof openDataReader> {
  const reader = openDataReader({ workerUrl })
  onTestFinished(() => reader.close())
  return reader
}

/** With its records as an array; they come as JSON, which leaves out what is undefined. */
function listed(reading: DataFileReading<SidecarList>): DataFileReading {
  if (!reading.ok) return reading
  const { length } = reading.records
  return { ...reading, records: Array.from({ length }, (_, index) => reading.records.at(index) as Sidecar) }
}

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
    expect(listed(reading)).toEqual(readDataFile(name, bytes, OPTIONS))
    expect(reading).toMatchObject({ ok: true, form: 'table' })
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
