import { IconAlertTriangle } from '@tabler/icons-react'
import css from './decision-panel.module.css'
import type { Caution } from './delivery-picture.ts'
import { t } from '../words/t.ts'

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
  return caution.kind === 'centerUnsure'
    ? t('submission:decision.cautions.centerUnsure')
    : t(`submission:decision.cautions.${caution.kind}`, { ids: caution.caseIds.join(', ') })
}
