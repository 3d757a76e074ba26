import type { DataFileLabel } from '../sidecar-values.ts'
import type { DateOrder } from './data-dates.ts'
import type { DraftRules } from './draft-of.ts'
import type { Meaning } from './known-names.ts'
import type { NameOrder } from './person-names.ts'
import { sexLetterOf } from './sex-words.ts'
import type { Statements } from './statement.ts'

/**
 * What must be known of a whole file before one of its values can be read: heed every part first, then take the rules.
 */
export function inferRules(
  where: DataFileLabel,
  options: { readonly dateOrder: DateOrder; readonly nameOrder: NameOrder },
): { readonly heed: (part: Statements) => void; readonly rules: () => DraftRules } {
  const { dateOrder, nameOrder } = options
  const sexLetters = new Map<string, Set<string>>()
  let speaksInterface = false
  return {
    heed: (part) => {
      for (const { meaning, plainName, value, authority } of part) {
        speaksInterface ||= authority === 'interface' && isUnmistakable(meaning)
        if (meaning.kind !== 'field' || meaning.field !== 'gender') continue
        const letter = sexLetterOf(value)
        if (letter === null) continue
        const letters = sexLetters.get(plainName) ?? new Set()
        sexLetters.set(plainName, letters.add(letter))
      }
    },
    rules: () => ({ where, dateOrder, nameOrder, sexLetters, speaksInterface }),
  }
}

/** Many programs write `gender` and `first_name`; `visit_reason` and `od_iop` are the interface's. */
function isUnmistakable(meaning: Meaning): boolean {
  if (meaning.kind !== 'field') return meaning.kind === 'measurement'
  return meaning.field.includes('_') && meaning.field !== 'first_name' && meaning.field !== 'last_name'
}
