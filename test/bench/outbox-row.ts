/** An outbox of 100,000 submissions. */
import { join } from 'node:path'
import { scaled, type BenchOptions } from './bench-row.ts'
import { quantileOf, type Figure } from './figure.ts'
import type { Asked } from './outbox-process.ts'
import { runOwn } from './run-program.ts'

const SUBMISSIONS = 100_000

/** The row "outbox". */
export async function measureOutbox(options: BenchOptions): Promise<readonly Figure[]> {
  const { folder, effort, tell } = options
  const count = scaled(SUBMISSIONS, options)
  const dataFolder = join(folder, 'data')
  tell(`writes ${count} submissions`)
  const { seconds, megabytes } = await runOwn<{ seconds: number; megabytes: number }>('./outbox-process.ts', [
    'fill',
    dataFolder,
    String(count),
  ])
  tell('opens the outbox and asks it')
  const asked: Asked[] = []
  for (let round = 0; round < (effort === 'smoke' ? 1 : 3); round += 1)
    asked.push(await runOwn<Asked>('./outbox-process.ts', ['ask', dataFolder, String(count)]))
  const figure = (what: string, value: number | null, rest: Partial<Figure> = {}): Figure => ({
    row: 'outbox',
    what,
    value,
    unit: 'ms',
    ...rest,
  })
  const p95 = (read: (one: Asked) => readonly number[]): number | null =>
    quantileOf(asked.flatMap(read), 0.95)
  return [
    figure(`${count} submissions of four images written`, seconds, { unit: 's' }),
    figure('size of the database', megabytes, { unit: 'MB' }),
    figure(
      'open and check',
      quantileOf(
        asked.map(({ openSeconds }) => openSeconds),
        0.5,
      ),
      { unit: 's', atMost: 2 },
    ),
    figure(
      'a page of 100 of the list, p95',
      p95(({ pages }) => pages),
      { atMost: 5 },
    ),
    figure(
      'a page of 100 of one filter of the queue, p95',
      p95(({ filteredPages }) => filteredPages),
    ),
    figure(
      'a search for a history number, p95',
      p95(({ numbers }) => numbers),
      { atMost: 20 },
    ),
    figure(
      'a search for the beginning of a name, p95',
      p95(({ names }) => names),
      { atMost: 20 },
    ),
    figure(
      'the counts, p95',
      p95(({ counts }) => counts),
      { atMost: 10 },
    ),
    figure('memory of the process', Math.max(...asked.map(({ peakMegabytes }) => peakMegabytes)), {
      unit: 'MB',
    }),
  ]
}
