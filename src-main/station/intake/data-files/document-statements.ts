/** What an XML or JSON document states, divided into its visits. Pure. */
import type { StatedEye } from '../eye-statements.ts'
import { blockKind, eyeOfBlock, type BlockKind } from './block-kinds.ts'
import type { DataBlock } from './data-tree.ts'
import { plainOf, type Columns, type NameMeaning } from './name-meaning.ts'
import type { Statement, Statements } from './statement.ts'
import { areAboutCases, eyeOfRow } from './table-statements.ts'
import { isFileWithEye, isHistoryNumber, valuesInBlock, type NamedValue } from './values-in-block.ts'

export type DocumentStatements = {
  readonly visits: readonly Statements[]
  readonly ignoredCount: number
  readonly isAboutCases: boolean
}

/** A list of many visits repeats what stands above it; beyond this, the document is made to harm. */
const MAX_STATEMENTS = 400_000

/** Null where the document holds more than any export does. */
export function documentStatements(root: DataBlock, columns: Columns): DocumentStatements | null {
  const walk: Walk = { columns, names: [], ignored: 0, budget: MAX_STATEMENTS }
  const visits = visitsIn(
    root,
    { kinds: [blockKind(root.name)], eye: null, isRoot: true, isPatients: true },
    walk,
  )
  if (walk.budget < 0) return null
  const told = visits.filter((visit) => visit.length > 0)
  return { visits: told, ignoredCount: walk.ignored, isAboutCases: areAboutCases(walk.names) }
}

type Walk = { readonly columns: Columns; readonly names: NameMeaning[]; ignored: number; budget: number }

type Surroundings = {
  readonly kinds: readonly BlockKind[]
  readonly eye: Statement['eye']
  readonly isRoot: boolean
  /** Values that any person has (names, sex, birth) are the patient's here. */
  readonly isPatients: boolean
}

/**
 * A list whose members state a patient or a day holds visits, each with what stands above the list. All else belongs
 * together.
 */
function visitsIn(block: DataBlock, around: Surroundings, walk: Walk): Statements[] {
  const here = surroundingsOf(block, around, walk.columns)
  const own: Statement[] = [...ownStatements(here, walk)]
  const listed: Statements[] = []
  for (const [name, members] of byName(block.blocks)) {
    const eye = eyeOfBlock(name)
    const inside = {
      kinds: [...here.kinds, kindOf(name, eye)],
      eye: joined(here.eye, eye),
      isRoot: false,
      isPatients: here.isPatients,
    }
    const visits = members.map((member) => visitsIn(member, inside, walk))
    const isList =
      visits.some((found) => found.length > 1) || (members.length > 1 && visits.flat().some(isVisit))
    if (isList) for (const visit of visits.flat()) listed.push(visit)
    else for (const statement of visits.flat(2)) own.push(statement)
  }
  if (listed.length === 0) return [own]
  walk.budget -= listed.length * own.length
  return walk.budget < 0 ? [] : listed.map((visit) => [...own, ...visit])
}

function kindOf(name: string, eye: StatedEye | null): BlockKind {
  return eye ? 'measured' : blockKind(name)
}

function joined(outer: Statement['eye'], inner: Statement['eye']): Statement['eye'] {
  if (outer === null || inner === null) return outer ?? inner
  return outer === inner ? outer : 'unclear'
}

function byName(blocks: readonly DataBlock[]): ReadonlyMap<string, readonly DataBlock[]> {
  const found = new Map<string, DataBlock[]>()
  for (const block of blocks) {
    const same = found.get(block.name)
    if (same) same.push(block)
    else found.set(block.name, [block])
  }
  return found
}

function isVisit(statements: Statements): boolean {
  return statements.some(({ meaning }) => {
    if (meaning.kind === 'field')
      return (
        meaning.field === 'history_number' || meaning.field === 'visit_date' || meaning.field === 'last_name'
      )
    return meaning.kind === 'plainDate' || meaning.kind === 'birthDate' || meaning.kind === 'fullName'
  })
}

type Here = Surroundings & {
  readonly block: DataBlock
  readonly values: readonly NamedValue[]
  readonly hasOwnEye: boolean
  readonly hasNumber: boolean
}

function surroundingsOf(block: DataBlock, around: Surroundings, columns: Columns): Here {
  const kind = around.kinds.at(-1) ?? 'other'
  const values = valuesInBlock(block, kind, columns)
  const eyes = values.filter(({ meaning }) => meaning?.meaning.kind === 'eye').map(({ value }) => value)
  const hasNumber = values.some(({ meaning }) => isHistoryNumber(meaning))
  const isKnown = kind !== 'other' || around.isRoot
  return {
    ...around,
    block,
    values,
    eye: joined(around.eye, eyeOfRow(eyes)),
    hasOwnEye: eyes.length > 0,
    hasNumber,
    isPatients: (around.isPatients && isKnown) || hasNumber,
  }
}

function ownStatements(here: Here, walk: Walk): Statements {
  const told = here.values.flatMap((named): Statements => {
    const { name, value, meaning } = named
    if (!meaning && isFileWithEye(here.block, named)) return fileWithEye(name, value, walk)
    if (!meaning || !holdsHere(meaning, plainOf(name), here)) {
      walk.ignored += 1
      return []
    }
    const isOfEye = here.eye !== null && meaning.meaning.kind === 'measurement'
    walk.names.push(isOfEye ? { ...meaning, tells: 'telling' } : meaning)
    const eye = meaning.eye ? joined(meaning.eye, here.hasOwnEye ? null : here.eye) : here.eye
    return [{ meaning: meaning.meaning, plainName: plainOf(name), value, authority: meaning.authority, eye }]
  })
  walk.budget -= told.length
  return told
}

function fileWithEye(name: string, value: unknown, walk: Walk): Statements {
  const eye = eyeOfRow([value])
  const both = { plainName: 'images', authority: 'interface', eye } as const
  walk.names.push(
    ...(['file', 'eye'] as const).map(
      (kind) => ({ ...both, eye: null, meaning: { kind }, tells: 'common' }) as const,
    ),
  )
  return [
    { ...both, meaning: { kind: 'file' }, value: name },
    { ...both, meaning: { kind: 'eye' }, value },
  ]
}

/** Is what this name stands for the patient's, the visit's or an eye's in this place? */
function holdsHere({ meaning, authority, tells }: NameMeaning, plainName: string, here: Here): boolean {
  if (authority === 'person') return true
  if (authority === 'interface' && tells === 'telling' && plainName !== 'diabetes') return true
  const kind = here.kinds.at(-1)
  switch (meaning.kind) {
    case 'measurement':
      return here.kinds.slice(1).every((one) => one !== 'other' && one !== 'name')
    case 'plainDate':
      return here.hasOwnEye || here.hasNumber || kind === 'exam'
    case 'eye':
      return true
    case 'file':
      return here.isRoot || kind === 'exam' || here.hasOwnEye || here.hasNumber
    case 'field':
      // When a patient's own record was looked at last is no visit (Mediworks writes both).
      if (meaning.field === 'visit_date') return kind !== 'patient' || !plainName.startsWith('check')
      return meaning.field === 'history_number' || here.isPatients
    default:
      return here.isPatients
  }
}
