import { IconAlertTriangle } from '@tabler/icons-react'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import css from './decision-panel.module.css'
import type { Caution } from './delivery-picture.ts'

/** What speaks against sending a case again. */
export function Cautions({ cautions }: { readonly cautions: readonly Caution[] }) {
  return cautions.map((caution) => (
    <p key={caution.kind} className={css.caution}>
      <IconAlertTriangle size={18} aria-hidden />
      {sentenceOf(caution)}
    </p>
  ))
}

function sentenceOf(caution: Caution): string {
  const words = SUBMISSION_WORDS.decision.cautions
  return caution.kind === 'centerUnsure'
    ? words.centerUnsure
    : words[caution.kind](caution.caseIds.join(', '))
}
