/** From a file that has settled to its submission on the screens. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withRemark } from '../camera/layouts/layout.ts'
import { until } from '../station-process/start-station.ts'
import type { BenchOptions } from './bench-row.ts'
import { drawCase, nameOf } from './camera-files.ts'
import { quantileOf, type Figure } from './figure.ts'
import { startMeasured } from './measured-station.ts'

const TIMES = 50
const TIMES_IN_SMOKE = 3
const SETTLE_SECONDS = 1
const VISIBLE_WITHIN_MS = 60_000
/** So that no rhythm of the station's own is met every time. */
const PAUSES_MS = [0, 70, 150, 240, 330]

/** The row "visible". */
export async function measureVisible(options: BenchOptions): Promise<readonly Figure[]> {
  const { folder, effort, tell } = options
  const camera = join(folder, 'camera')
  await mkdir(camera)
  const [picture] = await drawCase(effort === 'smoke' ? 'small' : 'large')
  if (picture === undefined) throw new Error('Nothing was drawn.')
  const seenAt = new Map<string, number>()
  const measured = await startMeasured(
    folder,
    { path: camera, settleSeconds: SETTLE_SECONDS },
    (submission) => {
      for (const { fileName } of submission.images)
        if (!seenAt.has(fileName)) seenAt.set(fileName, performance.now())
    },
  )
  const { station } = measured
  await until('the first sweep', async () => (await station.value('station.status')).folders[0]?.lastSweepAt)
  const times = effort === 'smoke' ? TIMES_IN_SMOKE : TIMES
  tell(`writes ${times} files, one after the other`)
  const delays: number[] = []
  for (let number = 1; number <= times; number += 1) {
    const name = nameOf(number, 0)
    await mkdir(join(camera, name, '..'), { recursive: true })
    await writeFile(join(camera, name), withRemark(picture, String(number)))
    const writtenAt = performance.now()
    const shownAt = await until(`file ${number} is visible`, () => seenAt.get(name), VISIBLE_WITHIN_MS)
    delays.push(shownAt - writtenAt - SETTLE_SECONDS * 1_000)
    await sleep(PAUSES_MS[number % PAUSES_MS.length])
  }
  await measured.end()
  const figure = (what: string, share: number, rest: Partial<Figure> = {}): Figure => ({
    row: 'visible',
    what,
    value: quantileOf(delays, share),
    unit: 'ms',
    ...rest,
  })
  return [
    figure(`settled to visible, p50 of ${times}`, 0.5),
    figure(`settled to visible, p95 of ${times}`, 0.95, { atMost: 300 }),
    figure('settled to visible, longest', 1),
  ]
}
