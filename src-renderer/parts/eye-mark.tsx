import type { Eye } from '../../src-shared/eye.ts'
import css from './eye-mark.module.css'
import { t } from '../words/t.ts'

/** The letters of an eye. Their place (OD first) says the same, so the tint is only a third sign. */
export function EyeMark({ eye }: { readonly eye: Eye }) {
  return (
    <abbr className={css.mark} data-eye={eye} title={t(`field:eye.${eye}.name`)}>
      {t(`field:eye.${eye}.short`)}
    </abbr>
  )
}
