/** An outbox of 100,000 submissions. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scaled, type BenchOptions } from './bench-row.ts'
import { medianOf, quantileOf, type Figure } from './figure.ts'
import type { Life } from './outbox-life-process.ts'
import type { Asked } from './outbox-process.ts'
import { runOwn, runProgram } from './run-program.ts'
import { longestStall, openStalls } from './stalls.ts'
import type { Stall } from './thread-probe.ts'

const SUBMISSIONS = 100_000
const LIFE = fileURLToPath(new URL('./outbox-life-process.ts', import.meta.url))

/** A life of the program, and when its main thread answered nothing. */
type Lived = Life & { readonly stalls: readonly Stall[] }
type Lives = Readonly<Record<'afterEnd' | 'afterCut' | 'backUp', readonly Lived[]>>

function openingFigures({ afterEnd, afterCut, backUp }: Lives): readonly Figure[] {
  const seconds = (
    what: string,
    lives: readonly Life[],
    part: keyof Life,
    rest: Partial<Figure> = {},
  ): Figure => ({
    row: 'outbox',
    what,
    value: medianOf(lives.flatMap((life) => life[part]?.seconds ?? [])),
    unit: 's',
    ...rest,
  })
  const stall = (
    what: string,
    lives: readonly Lived[],
    part: keyof Life,
    rest: Partial<Figure> = {},
  ): Figure => ({
    row: 'outbox',
    what: `longest stall of the main thread ${what}`,
    value: Math.max(
      ...lives.map(({ stalls, ...life }) =>
        life[part] ? longestStall(stalls, life[part].from, life[part].until).ownMs : 0,
      ),
    ),
    unit: 'ms',
    ...rest,
  })
  return [
    seconds('open and check, after an end as it should be', afterEnd, 'open', { atMost: 2 }),
    seconds('open and check, after a power cut', afterCut, 'open', { atMost: 2 }),
    stall('while it opens', [...afterEnd, ...afterCut], 'open'),
    seconds('close', [...afterEnd, ...afterCut], 'close', { atMost: 2.5 }),
    seconds('a verified backup', backUp, 'work'),
    stall('while it is backed up', backUp, 'work', { atMost: 50 }),
  ]
}

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
  const lives = { afterEnd: [] as Lived[], afterCut: [] as Lived[], backUp: [] as Lived[] }
  const live = async (what: 'open' | 'backUp'): Promise<Lived> => {
    const stalls = openStalls(folder)
    const life = await runOwn<Life>('./outbox-life-process.ts', [what, dataFolder], stalls.environment)
    return { ...life, stalls: await stalls.read() }
  }
  const asked: Asked[] = []
  for (let round = 0; round < (effort === 'smoke' ? 1 : 3); round += 1) {
    tell('cuts the outbox off, opens it, closes it, and opens it again')
    await runProgram(process.execPath, [LIFE, 'leave', dataFolder])
    lives.afterCut.push(await live('open'))
    lives.afterEnd.push(await live('open'))
    tell('backs it up')
    lives.backUp.push(await live('backUp'))
    tell('asks it')
    asked.push(await runOwn<Asked>('./outbox-process.ts', ['ask', dataFolder, String(count)]))
  }
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
    ...openingFigures(lives),
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
      'a page of 100 of the open cases by urgency, p95',
      p95(({ urgentPages }) => urgentPages),
      { atMost: 5 },
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
      'a search for the beginning of a name among the open cases by urgency, p95',
      p95(({ openNames }) => openNames),
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
