/** What a run found, in words and figures, and whether it is good enough. */
import type { HandsFreeRow } from './hands-free.ts'
import { type Example, HARD, type Outcome, OUTCOMES, PROPOSED, type Row, type Scores } from './score.ts'

/** One demand on the whole run. */
export type Demand = {
  readonly name: string
  readonly value: number
  readonly of: number
  /** The value as a share of `of` has to be at most, or at least, this. */
  readonly bound: { readonly most: number } | { readonly least: number }
  /** Of this convention only. */
  readonly convention?: string
}

/** What issue and design demand of a station, over these scores. */
export function demandsOf(scores: Scores, handsFree: readonly HandsFreeRow[]): Demand[] {
  const all = scores.total()
  const plain = scores.total(({ kind }) => kind === 'plain')
  const traps = scores.total(({ kind }) => kind === 'trap')
  const bound = scores.total((row) => row.handsFree === 'without profile')
  const plainProfiles = handsFree.filter(({ kind }) => kind === 'plain')
  const sum = (key: 'measured' | 'unseen'): number =>
    plainProfiles.reduce((total, row) => total + row[key], 0)
  return [
    ...HARD.map((name) => ({ name, value: all.counts[name], of: all.visits, bound: { most: 0 } })),
    {
      name: 'proposed wrongly, plain',
      value: plain.proposedWrongly,
      of: plain.visits,
      bound: { most: 0 },
    },
    {
      name: 'proposed wrongly, traps',
      value: traps.proposedWrongly,
      of: traps.visits,
      bound: { most: 0.01 },
    },
    {
      name: 'two patients unasked',
      value: all.counts['sent unseen: mixed patients'] + all.counts['proposed: mixed patients'],
      of: all.visits,
      bound: { most: 0 },
    },
    {
      name: 'asked though any reader knows, plain',
      value: plain.counts['asked though read'],
      of: plain.ofToday,
      bound: { most: 0.01 },
    },
    {
      name: 'hands-free without a profile, DICOM and bound records',
      value: bound.counts['hands-free today'],
      of: bound.ofToday - bound.counts['looked at for one eye'],
      bound: { least: 0.99 },
    },
    ...[...scores.rows.values()].flatMap(demandsOfConvention),
    {
      name: 'hands-free with the offered profile',
      value: sum('unseen'),
      of: sum('measured'),
      bound: { least: 0.95 },
    },
  ]
}

/** A mean hides a convention that is asked about each time: each plain one has its own demands. */
function demandsOfConvention({ convention, kind, handsFree, ofToday, counts }: Row): Demand[] {
  if (kind !== 'plain') return []
  const asked = { name: 'asked needlessly', value: counts['asked though read'], of: ofToday }
  const free = {
    name: 'hands-free',
    value: counts['hands-free today'],
    of: ofToday - counts['looked at for one eye'],
  }
  return [
    { ...asked, convention, bound: { most: 0.01 } },
    ...(handsFree === 'without profile' ? [{ ...free, convention, bound: { least: 0.97 } }] : []),
  ]
}

/** Those of the whole run, those of single conventions that are not met, and how many of the others are. */
export function demandRows(demands: readonly Demand[]): string[][] {
  const ofConventions = demands.filter(({ convention }) => convention !== undefined)
  const unmet = ofConventions.filter((demand) => !isMet(demand))
  return [
    ...demands.filter(({ convention }) => convention === undefined).map(demandCells),
    ...unmet.map(demandCells),
    [
      'demands of single conventions',
      `${ofConventions.length - unmet.length} of ${ofConventions.length} met`,
    ],
  ]
}

export function isMet({ value, of, bound }: Demand): boolean {
  if (of === 0) return true
  return 'most' in bound ? value <= bound.most * of : value >= bound.least * of
}

const percent = (value: number, of: number): string =>
  of === 0 ? '-' : `${((value / of) * 100).toFixed(value === 0 ? 0 : 2)} %`

export function demandCells(demand: Demand): string[] {
  const { convention, value, of, bound } = demand
  const name = convention === undefined ? demand.name : `${demand.name}: ${convention}`
  const wanted = 'most' in bound ? `at most ${bound.most * 100} %` : `at least ${bound.least * 100} %`
  // None in N is no proof that there is none: with 95 % confidence the share is at most 3/N.
  const share = value === 0 && of > 0 ? `at most ${percent(Math.min(3, of), of)}` : percent(value, of)
  return [name, `${value} of ${of}`, share, wanted, isMet(demand) ? 'met' : 'NOT MET']
}

const COLUMNS: readonly (readonly [heading: string, outcomes: readonly Outcome[]])[] = [
  ['unseen eye', ['sent unseen: wrong eye']],
  ['unseen patient', ['sent unseen: wrong patient', 'sent unseen: mixed patients']],
  ['unseen day', ['sent unseen: wrong day']],
  ['unproven', ['sent unseen: unproven']],
  ['proposed wrongly', PROPOSED],
  ['lost', ['lost']],
  ['not raised', ['contradiction not raised']],
  ['asked though read', ['asked though read']],
  ['asked', ['asked']],
  ['reviewed', ['reviewed']],
  ['hands-free', ['hands-free']],
  ['today', ['hands-free today']],
  ['unknowable', ['unknowable']],
  ['split', ['split']],
]

export const HEADINGS: readonly string[] = [
  'convention',
  'kind',
  'visits',
  ...COLUMNS.map(([heading]) => heading),
]

/** The row of a convention in the table. */
export function conventionCells(row: Row): string[] {
  const counts = COLUMNS.map(([, outcomes]) =>
    outcomes === PROPOSED
      ? row.proposedWrongly
      : outcomes.reduce((sum, outcome) => sum + row.counts[outcome], 0),
  )
  return [
    row.convention,
    row.kind,
    String(row.visits),
    ...counts.map((count) => (count === 0 ? '.' : String(count))),
  ]
}

export const HANDS_FREE_HEADINGS = [
  'convention',
  'clinics',
  'offered',
  'visits until then',
  'unseen of later',
]

export function handsFreeCells({
  convention,
  clinics,
  offered,
  learnt,
  measured,
  unseen,
}: HandsFreeRow): string[] {
  const until = offered === 0 ? '-' : (learnt / offered).toFixed(1)
  return [
    convention,
    String(clinics),
    String(offered),
    until,
    `${unseen} of ${measured}, ${percent(unseen, measured)}`,
  ]
}

/** Outcomes that are as they should be need no example. */
const WITHOUT_EXAMPLE: readonly Outcome[] = [
  'asked',
  'reviewed',
  'hands-free',
  'hands-free today',
  'unknowable',
  'split',
]

/** The examples of all conventions, worst outcome first. */
export function examplesOf(scores: Scores, most: number): Example[] {
  const examples: Example[] = []
  for (const outcome of OUTCOMES) {
    if (WITHOUT_EXAMPLE.includes(outcome)) continue
    const found = [...scores.rows.values()].flatMap((row) => row.examples.get(outcome) ?? [])
    examples.push(...found.slice(0, most))
  }
  return examples
}

export function exampleLines({ outcome, convention, seed, visit, paths, station, truth }: Example): string[] {
  return [
    `${outcome}: ${convention} (--seed ${seed} --visit ${visit})`,
    ...paths.map((path) => `    ${path}`),
    `    station  ${station}`,
    `    truth    ${truth}`,
  ]
}
