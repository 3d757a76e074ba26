import { t } from '../words/t.ts'

/** `5 minutes`, for how often something is done. */
export function intervalText(seconds: number): string {
  return seconds % 60 === 0
    ? t('report:minutes', { count: seconds / 60 })
    : t('report:seconds', { count: seconds })
}
