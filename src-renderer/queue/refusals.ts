import type { BulkResult } from '../../src-shared/contract.ts'
import { formatCount } from '../format/numbers.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

/** Why cases were refused: each reason once, with how many it holds for where there are several reasons. */
export function refusalMessages(refused: BulkResult['refused']): readonly string[] {
  const byReason = [...Map.groupBy(refused, ({ failure }) => failure.message)]
  return byReason.map(([message, of]) =>
    byReason.length === 1
      ? said(message)
      : t('queue:partlyWhy', { number: formatCount(of.length), message: said(message) }),
  )
}
