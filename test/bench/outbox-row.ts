/** An outbox of 100,000 submissions. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BenchOptions, type Figure, medianOf, quantileOf, scaled, figuresOf } from './figures.ts'
import type { Session } from './outbox-session-process.ts'
import type { Asked } from './outbox-process.ts'
import { runOwn, runProgram } from './programs.ts'
import { longestStall, openStalls } from './measured-station.ts'
import type { Stall } from './thread-probe.ts'

const SUBMISSIONS = 100_000
const SESSION = fileURLToPath(new URL('./outbox-session-process.ts', import.meta.url))

/** A session of the program, and when its main thread answered nothing. */
type Lived = Session & { readonly stalls: readonly Stall[] }
type Lives = Readonly<Record<'afterEnd' | 'afterCut' | 'backUp', readonly Lived[]>>

function openingFigures({ afterEnd, afterCut, backUp }: Lives): readonly Figure[] {
  const seconds = (
    what: string,
    lives: readonly Session[],
    part: keyof Session,
    rest: Partial<Figure> = {},
  ): Figure => ({
    row: 'outbox',
    what,
    value: medianOf(lives.flatMap((session) => session[part]?.seconds ?? [])),
    unit: 's',
    ...rest,
  })
  const stall = (
    what: string,
    lives: readonly Lived[],
    part: keyof Session,
    rest: Partial<Figure> = {},
  ): Figure => ({
    row: 'outbox',
    what: `longest stall of the main thread ${what}`,
    value: Math.max(
      ...lives.map(({ stalls, ...session }) =>
        session[part] ? longestStall(stalls, session[part].from, session[part].until).ownMs : 0,
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
  const { folder, effort, report } = options
  const count = scaled(SUBMISSIONS, options)
  const dataFolder = join(folder, 'data')
  report(`writes ${count} submissions`)
  const { seconds, megabytes } = await runOwn<{ seconds: number; megabytes: number }>('./outbox-process.ts', [
    'fill',
    dataFolder,
    String(count),
  ])
  const lives = { afterEnd: [] as Lived[], afterCut: [] as Lived[], backUp: [] as Lived[] }
  const live = async (what: 'open' | 'backUp'): Promise<Lived> => {
    const stalls = openStalls(folder)
    const session = await runOwn<Session>(
      './outbox-session-process.ts',
      [what, dataFolder],
      stalls.environment,
    )
    return { ...session, stalls: await stalls.read() }
  }
  const asked: Asked[] = []
  for (let round = 0; round < (effort === 'smoke' ? 1 : 3); round += 1) {
    report('cuts the outbox off, opens it, closes it, and opens it again')
    await runProgram(process.execPath, [SESSION, 'leave', dataFolder])
    lives.afterCut.push(await live('open'))
    lives.afterEnd.push(await live('open'))
    report('backs it up')
    lives.backUp.push(await live('backUp'))
    report('asks it')
    asked.push(await runOwn<Asked>('./outbox-process.ts', ['ask', dataFolder, String(count)]))
  }
  const figure = figuresOf('outbox', 'ms')
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
