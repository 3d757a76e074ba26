import type { Eye } from '../../src-shared/eye.ts'
import { EYE_WORDS } from '../words/field-words.ts'
import css from './eye-mark.module.css'

/** The letters of an eye. Their place (OD first) says the same, so the tint is only a third sign. */
export function EyeMark({ eye }: { readonly eye: Eye }) {
  return (
    <abbr className={css.mark} data-eye={eye} title={EYE_WORDS[eye].name}>
      {EYE_WORDS[eye].short}
    </abbr>
  )
}
