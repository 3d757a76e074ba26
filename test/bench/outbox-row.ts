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
type MeasuredSession = Session & { readonly stalls: readonly Stall[] }
type Lives = Readonly<Record<'afterEnd' | 'afterCut' | 'backUp', readonly MeasuredSession[]>>

function openingFigures({ afterEnd, afterCut, backUp }: Lives): readonly Figure[] {
  const seconds = (
    what: string,
    sessions: readonly Session[],
    part: keyof Session,
    rest: Partial<Figure> = {},
  ): Figure => ({
    row: 'outbox',
    what,
    value: medianOf(sessions.flatMap((session) => session[part]?.seconds ?? [])),
    unit: 's',
    ...rest,
  })
  const stall = (
    what: string,
    sessions: readonly MeasuredSession[],
    part: keyof Session,
    rest: Partial<Figure> = {},
  ): Figure => ({
    row: 'outbox',
    what: `longest stall of the main thread ${what}`,
    value: Math.max(
      ...sessions.map(({ stalls, ...session }) =>
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

/** What is asked, the answers of the process, and the most milliseconds that one may take. */
const QUESTIONS: readonly (readonly [string, Exclude<keyof Asked, 'peakMegabytes'>, number | null])[] = [
  ['a page of 100 of the list', 'pages', 5],
  ['a page of 100 of one filter of the queue', 'filteredPages', null],
  ['a page of 100 of the open cases by urgency', 'urgentPages', 5],
  ['a search for a history number', 'numbers', 20],
  ['a search for the beginning of a name', 'names', 20],
  ['a search for the beginning of a name among the open cases by urgency', 'openNames', 20],
  ['the counts', 'counts', 10],
]

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
  const sessions = {
    afterEnd: [] as MeasuredSession[],
    afterCut: [] as MeasuredSession[],
    backUp: [] as MeasuredSession[],
  }
  const runSession = async (what: 'open' | 'backUp'): Promise<MeasuredSession> => {
    const stalls = openStalls(folder)
    const session = await runOwn<Session>('./outbox-session-process.ts', [what, dataFolder], {
      environment: stalls.environment,
    })
    return { ...session, stalls: await stalls.read() }
  }
  const asked: Asked[] = []
  for (let round = 0; round < (effort === 'smoke' ? 1 : 3); round += 1) {
    report('cuts the outbox off, opens it, closes it, and opens it again')
    await runProgram(process.execPath, [SESSION, 'leave', dataFolder])
    sessions.afterCut.push(await runSession('open'))
    sessions.afterEnd.push(await runSession('open'))
    report('backs it up')
    sessions.backUp.push(await runSession('backUp'))
    report('asks it')
    asked.push(await runOwn<Asked>('./outbox-process.ts', ['ask', dataFolder, String(count)]))
  }
  const figure = figuresOf('outbox', 'ms')
  return [
    figure(`${count} submissions of four images written`, seconds, { unit: 's' }),
    figure('size of the database', megabytes, { unit: 'MB' }),
    ...openingFigures(sessions),
    ...QUESTIONS.map(([what, name, atMost]) =>
      figure(
        `${what}, p95`,
        quantileOf(
          asked.flatMap((one) => one[name]),
          0.95,
        ),
        atMost === null ? {} : { atMost },
      ),
    ),
    figure('memory of the process', Math.max(...asked.map(({ peakMegabytes }) => peakMegabytes)), {
      unit: 'MB',
    }),
  ]
}
