import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { FieldName } from '../../../src-shared/fields.ts'
import type { ProfileDryRun } from '../../../src-shared/profile-trial.ts'
import { formatCalendarDay } from '../../format/instants.ts'
import { EyeMark } from '../../parts/eye-mark.tsx'
import { useNames } from '../../privacy/use-names.ts'
import css from './profiles.module.css'
import { said } from '../../words/said.ts'
import { t } from '../../words/t.ts'

type Visit = ProfileDryRun['visits'][number]

/** One visit that would become a case: who, when, which images, and what nobody could tell. */
export function DryRunVisit({ visit }: { readonly visit: Visit }) {
  const { fields, images, reasons, oddities } = visit
  const names = useNames()
  const name = names.nameOf(fields)
  return (
    <li className={css.visit} data-unclear={reasons.length > 0}>
      <div className={css.visitHead}>
        <Fact
          visit={visit}
          name="history_number"
          text={fields.history_number}
          missing={t('settings:trial.noNumber')}
        />
        <Fact
          visit={visit}
          name="visit_date"
          text={fields.visit_date && formatCalendarDay(fields.visit_date)}
          missing={t('settings:trial.noDate')}
        />
        {name !== null && <Fact visit={visit} name="last_name" text={name} missing="" />}
      </div>
      <ul role="list" className={css.images}>
        {images.map((image) => (
          <li key={image.fileName} data-twin={image.twinOf !== null}>
            <EyeMark eye={image.eye} />
            <span className={css.file}>{names.text(image.fileName, fields)}</span>
            <span className={css.from}>
              {image.twinOf !== null
                ? t('settings:trial.twin', { name: baseName(image.twinOf) })
                : image.eyeSource === null
                  ? t('settings:trial.noEye')
                  : t(`field:source.${image.eyeSource}.name`)}
            </span>
          </li>
        ))}
      </ul>
      {reasons.map((reason, index) => (
        // Several images may be in question in the very same words, and their names are not told.
        // oxlint-disable-next-line react/no-array-index-key -- a visit's list never changes, and its entries have no other name
        <p key={index} className={css.reason}>
          <IconAlertTriangle size={15} aria-hidden />
          {said(reason.message)}
        </p>
      ))}
      {oddities.map((oddity, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- as above
        <p key={index} className={css.oddity}>
          <IconInfoCircle size={15} aria-hidden />
          {said(oddity.message)}
        </p>
      ))}
    </li>
  )
}

type FactProps = {
  readonly visit: Visit
  readonly name: FieldName
  readonly text: string | undefined
  readonly missing: string
}

function Fact({ visit, name, text, missing }: FactProps) {
  const source = visit.sources[name]
  return (
    <span className={css.fact}>
      {text ? <strong>{text}</strong> : <span className={css.missing}>{missing}</span>}
      {text && source && <span className={css.from}>{t(`field:source.${source}.name`)}</span>}
    </span>
  )
}

function baseName(fileName: string): string {
  return fileName.split('/').at(-1) ?? fileName
}
