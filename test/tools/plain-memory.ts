/** What a plain outbox remembers of its folder: keys of visits, shapes, words, answers, and numbers that cases mention. */
import type { Verdict } from '../../src-shared/verdict.ts'
import { fieldsColumn, sourcesColumn } from '../../src-main/station/json-columns.ts'
import type { Outbox } from '../../src-main/station/outbox/outbox.ts'
import type { SubmissionRow } from '../../src-main/station/outbox/rows.ts'
import { Groups, type PlainRows } from './plain-rows.ts'

/** As in `folder-memory.ts` of the outbox, which counts with them in SQL. */
const [NUMBERS_OF_CONSTANT, MOST_NUMBERS, FEW_CASES, MOST_VISITS, SOME_NUMBERS] = [3, 8, 5, 50, 8]
const OF_A_NAME = ''
const LEAVES: readonly SubmissionRow['state'][] = ['waiting', 'sending', 'sent', 'unconfirmed']
const OPEN: readonly SubmissionRow['state'][] = ['collecting', 'incomplete', 'review', 'held']

export function plainMemory(rows: PlainRows) {
  const keysOf = new Groups<string>()
  const ofKey = new Groups<string>()
  const shapes = new Set<string>()
  const numbersOf = new Groups<string>()
  const termsOf = new Groups<string>()
  const mentions = new Groups<string>()
  let visits = { both: 0, one: 0 }

  const learnTerm = (term: string, number: string): void => {
    numbersOf.add(term, number)
    termsOf.add(number, term)
  }
  const removeGroupKeys = (id: string): void => {
    for (const key of keysOf.of(id)) {
      keysOf.remove(id, key)
      ofKey.remove(key, id)
    }
  }
  const addGroupKey = (id: string, key: string): void => {
    keysOf.add(id, key)
    ofKey.add(key, id)
  }
  const casesFrom = (prefix: string): readonly string[] =>
    ofKey.keysFrom(prefix).flatMap((key) => ofKey.of(key))
  const isThere = ({ state }: SubmissionRow): boolean => state !== 'discarded'
  const numberEntered = (row: SubmissionRow): string | readonly string[] =>
    isEntered(row) ? (fieldsColumn.read(row.fields).history_number ?? []) : []

  return {
    addGroupKey,
    operations: {
      addGroupKey: (id, _folder, key) => addGroupKey(id, key),
      removeGroupKeys,
      groupKeysOf: (id) => keysOf.of(id).toSorted(),
      submissionsOfGroup: (_folder, key) => rows.casesIn(ofKey.of(key)).filter(isThere).toReversed(),
      submissionsOfGroupsFrom: (_folder, prefix) => rows.casesIn(casesFrom(prefix)).filter(isThere),
      numbersInFolder: (_folder, directory) => {
        const cases = new Set(rows.imagesBelow(directory).map(({ submission_id: id }) => id))
        const ofKeys = [...cases].flatMap((id) =>
          keysOf.of(id).flatMap((key) => {
            const [kind, number] = JSON.parse(key) as string[]
            return kind === 'patient' && number !== undefined ? [number] : []
          }),
        )
        const entered = rows.casesIn(cases).flatMap(numberEntered)
        return [ofKeys, entered].flatMap((some) => [...new Set(some)].slice(0, SOME_NUMBERS))
      },

      learnShape: (_folder, shape) => void shapes.add(shape),
      hasShape: (_folder, shape) => shapes.has(shape),
      learnTerm: (_folder, term, number) => {
        const known = numbersOf.of(term).filter((one) => one !== OF_A_NAME)
        if (known.length < MOST_NUMBERS) learnTerm(term, number)
      },
      learnNameTerm: (_folder, term) => learnTerm(term, OF_A_NAME),
      isConstant: (_folder, term) => {
        if (numbersOf.sizeOf(term) < NUMBERS_OF_CONSTANT || numbersOf.has(term, OF_A_NAME)) return false
        const isRareBeside = (number: string): boolean =>
          termsOf.of(number).some((other) => other !== term && numbersOf.sizeOf(other) < NUMBERS_OF_CONSTANT)
        const numbers = numbersOf.of(term).filter((number) => !isRareBeside(number)).length
        const isRare = (other: string): boolean => {
          const own = numbersOf.of(other).filter((number) => number !== OF_A_NAME).length
          return own > 0 && own < NUMBERS_OF_CONSTANT
        }
        return numbers >= NUMBERS_OF_CONSTANT && numbersOf.keysFrom('').filter(isRare).length < numbers
      },

      // No one answers for other cases.
      hasAnswer: () => false,
      answeredBy: () => null,

      noteVisit: (_folder, hasBothEyes) => {
        const { both, one } = visits
        visits = hasBothEyes ? { both: both + 1, one } : { both, one: one + 1 }
        if (visits.both + visits.one > MOST_VISITS)
          visits = { both: Math.floor(visits.both / 2), one: Math.floor(visits.one / 2) }
      },
      visitsOf: () => visits,
      noteMentions: (_folder, id, numbers) => {
        for (const number of numbers) mentions.add(number, id)
      },
      mentionsOf: (_folder, number) =>
        rows
          .casesIn(mentions.of(number))
          .filter(({ state }) => state === 'waiting' || OPEN.includes(state))
          .map(({ id }) => id),
      waitingForTerm: () =>
        [...rows.cases.values()]
          .filter((row) => row.state === 'review' && whoOf(row)?.why === 'unknownTerm')
          .map(({ id }) => id),
      casesOfPatient: ({ prefix, number, bare, exceptId }) => {
        const ofNumber = rows.ofNumber.of(number.toLowerCase())
        const asking = mentions.of(bare).filter((id) => whoOf(rows.cases.get(id))?.why === 'placeholder')
        return rows
          .casesIn([...casesFrom(prefix), ...ofNumber, ...asking])
          .filter((row) => row.id !== exceptId && (isLeaving(row) || statesNumber(row)))
          .map((row) => {
            const leaves = isLeaving(row) ? (1 as const) : (0 as const)
            const isOtherwise = isEntered(row) && !['', number.toUpperCase()].includes(numberOf(row))
            return { ...row, leaves, isOtherwise }
          })
          .toReversed()
          .toSorted(
            (one, other) => Number(one.isOtherwise) - Number(other.isOtherwise) || other.leaves - one.leaves,
          )
          .slice(0, FEW_CASES)
      },
    } satisfies Partial<Outbox>,
  }
}

function isLeaving({ state, undo_ms: undoMs }: SubmissionRow): boolean {
  return LEAVES.includes(state) && undoMs === null
}

function numberOf({ fields }: SubmissionRow): string {
  return (fieldsColumn.readOr(fields, {}).history_number ?? '').toUpperCase()
}

function isEntered({ sources }: SubmissionRow): boolean {
  return sourcesColumn.readOr(sources, {}).history_number === 'person'
}

function whoOf(row: SubmissionRow | undefined): Verdict['who'] | undefined {
  return row?.verdict ? (JSON.parse(row.verdict) as Verdict).who : undefined
}

/** Of an open case: which is more than its names. */
function statesNumber(row: SubmissionRow): boolean {
  if (!OPEN.includes(row.state) && row.undo_ms === null) return false
  const who = whoOf(row)
  const isStated = who !== undefined && (who.kind === 'proven' || who.by.some((source) => source === 'dicom'))
  return isStated || who?.why === 'placeholder' || isEntered(row)
}
