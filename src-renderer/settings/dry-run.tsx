/** What would become of the files of a folder. */
import { Group, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { CallInput } from '../../src-shared/contract.ts'
import type { FieldName } from '../../src-shared/fields.ts'
import type { ProfileDryRun } from '../../src-shared/station-status.ts'
import { EyeMark } from '../components/badges.tsx'
import { baseName } from '../components/photo.tsx'
import { formatCalendarDay } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { type Answer, useAnswer } from '../store/use-station.ts'
import css from './dry-run.module.css'

type Visit = ProfileDryRun['visits'][number]

function DryRunVisit({ visit }: { readonly visit: Visit }) {
  const { fields, images, reasons, oddities } = visit
  const names = useNames()
  const name = names.nameOf(fields)
  return (
    <li className={css.visit} data-unclear={reasons.length > 0}>
      <Group gap="2px 18px" align="stretch">
        <Fact
          visit={visit}
          name="history_number"
          text={fields.history_number}
          missing={t('queue:noHistoryNumber')}
        />
        <Fact
          visit={visit}
          name="visit_date"
          text={fields.visit_date && formatCalendarDay(fields.visit_date)}
          missing={t('settings:trial.noDate')}
        />
        {name !== null && <Fact visit={visit} name="last_name" text={name} missing="" />}
      </Group>
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
      {[...reasons, ...oddities].map((remark, index) => {
        const isReason = index < reasons.length
        const Sign = isReason ? IconAlertTriangle : IconInfoCircle
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the list never changes, and its entries have no other name
          <p key={index} className={isReason ? css.reason : css.oddity}>
            <Sign size={15} aria-hidden />
            {messageOf(remark)}
          </p>
        )
      })}
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
      {text ? <strong>{text}</strong> : <span className="bold amber">{missing}</span>}
      {text && source && <span className={css.from}>{t(`field:source.${source}.name`)}</span>}
    </span>
  )
}

/** Enough to see how files are read; hundreds of visits help no one who types. */
const MAX_SHOWN = 40

type DryRunResultProps = {
  readonly dryRun: ProfileDryRun
  /** The shown result is outdated. */
  readonly isOld: boolean
}

export function DryRunResult({ dryRun, isOld }: DryRunResultProps) {
  const { visits, notes, triedCount, fileCount } = dryRun
  const unclear = visits.filter(({ reasons }) => reasons.length > 0).length
  const summary = joinTexts(
    triedCount === fileCount
      ? t('settings:trial.triedAll', { all: formatCount(fileCount) })
      : t('settings:trial.tried', { tried: formatCount(triedCount), all: formatCount(fileCount) }),
    t('settings:trial.visits', { count: visits.length }),
    unclear > 0 && t('settings:trial.unclear', { count: unclear }),
    notes.length > 0 && t('settings:trial.left', { count: notes.length }),
  )
  // The most questionable visits first, so that what is read wrongly is obvious.
  const ordered = visits.toSorted((one, other) => other.reasons.length - one.reasons.length)
  return (
    <div className={css.result} data-old={isOld}>
      <p className={css.summary} role="status">
        {summary}
      </p>
      <div className={css.found} role="region" aria-label={t('settings:trial.found')} tabIndex={0}>
        {visits.length === 0 && <p className="dim">{t('settings:trial.noVisit')}</p>}
        <Stack component="ul" role="list" gap={8}>
          {ordered.slice(0, MAX_SHOWN).map((visit) => (
            <DryRunVisit key={visit.images.map(({ fileName }) => fileName).join('\n')} visit={visit} />
          ))}
        </Stack>
        {ordered.length > MAX_SHOWN && (
          <p className="dim">{t('shell:andMore', { count: ordered.length - MAX_SHOWN })}</p>
        )}
        {notes.length > 0 && (
          <>
            <h4 className={css.leftTitle}>{t('settings:trial.leftAside')}</h4>
            <ul role="list" className={css.notes}>
              {notes.slice(0, MAX_SHOWN).map((note) => (
                <li key={note.fileName}>
                  <span className={css.file}>{note.fileName}</span>
                  <span className="dim">
                    {t(`queue:leftAside.kinds.${note.kind}`)}. {messageOf(note)}
                  </span>
                </li>
              ))}
            </ul>
            {notes.length > MAX_SHOWN && (
              <p className="dim">{t('shell:andMore', { count: notes.length - MAX_SHOWN })}</p>
            )}
          </>
        )}
      </div>
    </div>
  )
}

const PAUSE_MS = 400

type DryRunInput = CallInput<'folders.tryProfile'>

/** Reads a folder once typing pauses; null: nothing can be run now, and the previous result stays. */
export function useDryRun(input: DryRunInput | null): Answer<ProfileDryRun> {
  const wanted = JSON.stringify(input)
  const [asked] = useDebouncedValue(wanted, PAUSE_MS)
  const answer = useAnswer('folders.tryProfile', JSON.parse(asked) as DryRunInput | null)
  return { ...answer, isReading: answer.isReading || (input !== null && asked !== wanted) }
}
