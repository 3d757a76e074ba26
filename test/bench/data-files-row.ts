/** Data files of the most records that are taken, one after the other, beside a visit that arrives meanwhile. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../station-process/start-station.ts'
import { TODAY } from '../camera/today.ts'
import { type BenchOptions, type Figure, figuresOf, scaled } from './figures.ts'
import { drawCase } from './camera-files.ts'
import { longestStall, startMeasured } from './measured-station.ts'
import { cpuSecondsOf } from './programs.ts'
import { withRemark } from '../camera/layouts/layout.ts'

const RECORDS = 20_000
const PATIENCE_MS = 300_000
const VISIBLE_MS = 60_000

type Visit = Readonly<Record<string, string>>

function visitsOf(form: string, count: number): readonly Visit[] {
  return Array.from({ length: count }, (_, index) => {
    const number = `${form}${String(index + 1).padStart(6, '0')}`
    return {
      patient_id: number,
      visit_date: TODAY,
      last_name: `Sample${form}${index}`,
      file: `${number}_1.jpg`,
      eye: index % 2 === 0 ? 'OD' : 'OS',
    }
  })
}

const FORMS: Readonly<Record<'JSON' | 'XML' | 'CSV', (visits: readonly Visit[]) => string>> = {
  JSON: (visits) => JSON.stringify(visits),
  XML: (visits) => {
    const value = ([name, text]: readonly [string, string]): string => `<${name}>${text}</${name}>`
    return `<visits>${visits.map((one) => `<visit>${Object.entries(one).map(value).join('')}</visit>`).join('')}</visits>`
  },
  CSV: (visits) =>
    [Object.keys(visits[0] ?? {}).join(';'), ...visits.map((one) => Object.values(one).join(';')), ''].join(
      '\n',
    ),
}

/** The row "data-files". The last record of each file names an image that lies there: once it is applied, the rest is. */
export async function measureDataFiles(options: BenchOptions): Promise<readonly Figure[]> {
  const { folder, report } = options
  const camera = join(folder, 'camera')
  await mkdir(camera)
  const count = scaled(RECORDS, options)
  const [picture] = await drawCase('small')
  if (picture === undefined) throw new Error('Nothing was drawn.')
  const names = new Set<string>()
  const seenAt = new Map<string, number>()
  const measured = await startMeasured(
    folder,
    { folders: [{ path: camera, settleSeconds: 0.2, quietSeconds: 600, sweepSeconds: 2 }] },
    ({ fields, images }) => {
      if (fields.last_name !== undefined) names.add(fields.last_name)
      for (const { fileName } of images) if (!seenAt.has(fileName)) seenAt.set(fileName, Date.now())
    },
  )
  const { station } = measured
  const figure = figuresOf('data-files', 's')
  const rounds: { readonly form: string; readonly from: number; readonly until: number }[] = []
  const figures: Figure[] = []
  const write = async (name: string, bytes: Buffer | string): Promise<void> => {
    await writeFile(join(folder, 'half'), bytes)
    await rename(join(folder, 'half'), join(camera, name))
  }
  for (const [form, textOf] of Object.entries(FORMS)) {
    const visits = visitsOf(form.slice(0, 1), count)
    const last = visits.at(-1) ?? {}
    await write(last['file'] ?? '', withRemark(picture, form))
    await until(`the image of ${form}`, () => seenAt.get(last['file'] ?? ''), VISIBLE_MS)
    report(`${form} of ${count} records`)
    const cpuBefore = await cpuSecondsOf(station.pid)
    const from = Date.now()
    await write(`list-${form}.${form.toLowerCase()}`, textOf(visits))
    const beside = `beside-${form}_1.jpg`
    const writtenAt = Date.now()
    await write(beside, withRemark(picture, `beside ${form}`))
    const visibleAt = await until('the visit beside it', () => seenAt.get(beside), VISIBLE_MS)
    await until(`the end of ${form}`, () => names.has(last['last_name'] ?? ''), PATIENCE_MS)
    const appliedAt = Date.now()
    // Written again with one visit more, as the list of a day grows.
    const [first = {}] = visitsOf(`${form.slice(0, 1)}MORE`, 1)
    await write(first['file'] ?? '', withRemark(picture, `more ${form}`))
    await until(`the other image of ${form}`, () => seenAt.get(first['file'] ?? ''), VISIBLE_MS)
    const againAt = Date.now()
    await write(`list-${form}.${form.toLowerCase()}`, textOf([...visits.slice(1), first]))
    await until(`the end of ${form} again`, () => names.has(first['last_name'] ?? ''), PATIENCE_MS)
    rounds.push({ form, from, until: Date.now() })
    figures.push(
      figure(`${form}, written again: until the last is applied`, (Date.now() - againAt) / 1_000),
      figure(`${form} of ${count} records: until the last is applied`, (appliedAt - from) / 1_000),
      figure(`${form}: processor time`, (await cpuSecondsOf(station.pid)) - cpuBefore),
      figure(`${form}: a visit beside it is visible`, (visibleAt - writtenAt) / 1_000, { atMost: 15 }),
    )
  }
  const stalls = await measured.end()
  return [
    ...figures,
    ...rounds.map((round) =>
      figure(
        `${round.form}: longest stall of the main thread, its own`,
        longestStall(stalls, round.from, round.until).ownMs,
        { unit: 'ms', atMost: 50 },
      ),
    ),
  ]
}
