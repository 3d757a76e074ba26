import { Caution as Sentence } from '../parts/caution.tsx'
import { t } from '../words/t.ts'
import type { Caution } from './delivery-picture.ts'

/** What speaks against sending a case again. */
export function Cautions({ cautions }: { readonly cautions: readonly Caution[] }) {
  return cautions.map((caution) => <Sentence key={caution.kind}>{sentenceOf(caution)}</Sentence>)
}

function sentenceOf(caution: Caution): string {
  return caution.kind === 'centerUnsure'
    ? t('submission:decision.cautions.centerUnsure')
    : t(`submission:decision.cautions.${caution.kind}`, { ids: caution.caseIds.join(', ') })
}
