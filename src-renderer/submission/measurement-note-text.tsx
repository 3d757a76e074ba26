import { t } from '../words/t.ts'
import type { MeasurementNote } from './measurement-notes.ts'
import css from './measurements-block.module.css'

/** What is remarkable about a value; it stops nothing. */
export function MeasurementNoteText({ note }: { readonly note: MeasurementNote }) {
  const isSubtle = note.kind === 'offStep' || note.kind === 'axisAlone' || note.kind === 'baseAlone'
  return (
    <span className={css.note} data-quiet={isSubtle}>
      {noteText(note)}
    </span>
  )
}

function noteText(note: MeasurementNote): string {
  switch (note.kind) {
    case 'unusual':
      return t('measure:unusual', { min: note.min, max: note.max })
    case 'offStep':
      return t('measure:offStep', { step: note.step })
    case 'differ':
      return t(`measure:differ.${note.what}`)
    case 'high':
    case 'axisMissing':
    case 'axisAlone':
    case 'baseMissing':
    case 'baseAlone':
      return t(`measure:${note.kind}`)
  }
}
