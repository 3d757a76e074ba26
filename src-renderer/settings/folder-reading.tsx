/** How the files of one folder are read: what a person knows of its camera and no file states, and what becomes of them. */
import { Group, Loader, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { CallInput } from '../../src-shared/contract.ts'
import type { FieldName } from '../../src-shared/fields.ts'
import { type FolderReading, folderReadingSchema } from '../../src-shared/folder-settings.ts'
import type { ProfileDryRun } from '../../src-shared/station-status.ts'
import { EyeMark } from '../components/badges.tsx'
import { SmallButton } from '../components/controls.tsx'
import { baseName } from '../components/photo.tsx'
import { formatCalendarDay } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { type Answer, useAnswer } from '../store/use-station.ts'
import tryCss from './dry-run.module.css'
import { type ColumnRow, columnRowsOf, ColumnsInput, DATE_ORDERS, readColumnRows } from './patient-list.tsx'
import { ChoiceSelect, CodeInput } from './settings-form.tsx'
import css from './settings-screen.module.css'

type TermsName = 'rightWords' | 'leftWords' | 'leaveAlone'

/** Terms with commas between, headings as rows. */
export type ReadingForm = Pick<FolderReading, 'dateOrder' | 'nameOrder'> &
  Readonly<Record<TermsName, string>> & { readonly columns: readonly ColumnRow[] }

export function readingFormOf({
  leaveAlone,
  eyeWords,
  columns,
  dateOrder,
  nameOrder,
}: FolderReading): ReadingForm {
  return {
    dateOrder,
    nameOrder,
    rightWords: eyeWords.right.join(', '),
    leftWords: eyeWords.left.join(', '),
    leaveAlone: leaveAlone.join(', '),
    columns: columnRowsOf(columns),
  }
}

function splitTerms(text: string): string[] {
  return text
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '')
}

type ReadReading = {
  readonly reading: FolderReading | null
  readonly problems: Partial<Record<TermsName, string>>
}

/** What is in a form, or null and what is wrong with it. */
export function readReadingForm(form: ReadingForm): ReadReading {
  const columns = readColumnRows(form.columns)
  const read = folderReadingSchema.safeParse({
    dateOrder: form.dateOrder,
    nameOrder: form.nameOrder,
    eyeWords: { right: splitTerms(form.rightWords), left: splitTerms(form.leftWords) },
    leaveAlone: splitTerms(form.leaveAlone),
    columns: columns ?? {},
  })
  const wrong = (read.error?.issues ?? []).map(({ path }) => path.slice(0, 2).join('.'))
  const isAt = (path: string): boolean => wrong.some((one) => one === path || one.startsWith(`${path}.`))
  const problems = {
    ...(wrong.includes('eyeWords') && { leftWords: t('settings:reading.sameWord') }),
    ...(isAt('eyeWords.right') && { rightWords: t('settings:reading.wordsWrong') }),
    ...(isAt('eyeWords.left') && { leftWords: t('settings:reading.wordsWrong') }),
    ...(isAt('leaveAlone') && { leaveAlone: t('settings:reading.wordsWrong') }),
  }
  return { reading: read.success && columns !== null ? read.data : null, problems }
}

type FolderReadingFieldsProps = {
  readonly form: ReadingForm
  /** Missing values are marked only after an attempt to save. */
  readonly isChecked: boolean
  readonly onWrite: (change: Partial<ReadingForm>) => void
}

export function FolderReadingFields({ form, isChecked, onWrite }: FolderReadingFieldsProps) {
  const { problems } = readReadingForm(form)
  const termsInput = (name: TermsName, description: string) => (
    <CodeInput
      label={t(`settings:reading.${name}`)}
      description={description}
      value={form[name]}
      error={problems[name]}
      onWrite={(text) => onWrite({ [name]: text })}
    />
  )
  return (
    <>
      <div className={css.pair}>
        <ChoiceSelect
          label={t('settings:reading.dateOrder')}
          choices={DATE_ORDERS}
          value={form.dateOrder}
          labelOf={(value) => t(`settings:reading.dateOrders.${value}`)}
          onChoose={(dateOrder) => onWrite({ dateOrder })}
        />
        <ChoiceSelect
          label={t('settings:reading.nameOrder')}
          choices={['lastFirst', 'firstLast']}
          value={form.nameOrder}
          labelOf={(value) => t(`settings:reading.nameOrders.${value}`)}
          onChoose={(nameOrder) => onWrite({ nameOrder })}
        />
        {termsInput('rightWords', t('settings:reading.wordsHint'))}
        {termsInput('leftWords', t('settings:reading.wordsHint'))}
      </div>
      {termsInput('leaveAlone', t('settings:reading.leaveAloneHint'))}
      <ColumnsInput rows={form.columns} isChecked={isChecked} onWrite={(columns) => onWrite({ columns })} />
    </>
  )
}

type FolderPreviewProps = {
  readonly path: string
  readonly form: ReadingForm
  /** Reads the folder without being asked to. */
  readonly isOpenAtOnce?: boolean
}

/** What would become of the files of a folder as the form is now. */
export function FolderPreview(props: FolderPreviewProps) {
  const { path, form, isOpenAtOnce = false } = props
  const [isOpen, setOpen] = useState(isOpenAtOnce)
  const { reading } = readReadingForm(form)
  const canTry = isOpen && path !== '' && reading !== null
  const dryRun = useDryRun(canTry ? { path, reading } : null)
  return (
    <Stack gap={8} className={css.group ?? ''}>
      <div>
        <SmallButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('settings:trial.title')}
        </SmallButton>
        {dryRun.isReading && <Loader size={15} ml={10} aria-label={t('shell:reading')} />}
      </div>
      {isOpen && dryRun.failure && (
        <>
          <p className="red">{messageOf(dryRun.failure)}</p>
          <p className="dim">{t('settings:trial.notYet')}</p>
        </>
      )}
      {isOpen && !dryRun.failure && dryRun.value && (
        <DryRunResult dryRun={dryRun.value} isOld={dryRun.isReading || !canTry} />
      )}
    </Stack>
  )
}

type Visit = ProfileDryRun['visits'][number]

function DryRunVisit({ visit }: { readonly visit: Visit }) {
  const { fields, images, reasons, oddities } = visit
  const names = useNames()
  const name = names.nameOf(fields)
  return (
    <li className={tryCss.visit} data-unclear={reasons.length > 0}>
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
      <ul role="list" className={tryCss.images}>
        {images.map((image) => (
          <li key={image.fileName} data-twin={image.twinOf !== null}>
            <EyeMark eye={image.eye} />
            <span className={tryCss.file}>{names.text(image.fileName, fields)}</span>
            <span className={tryCss.from}>
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
          <p key={index} className={isReason ? tryCss.reason : tryCss.oddity}>
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
    <span className={tryCss.fact}>
      {text ? <strong>{text}</strong> : <span className="bold amber">{missing}</span>}
      {text && source && <span className={tryCss.from}>{t(`field:source.${source}.name`)}</span>}
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

function DryRunResult({ dryRun, isOld }: DryRunResultProps) {
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
    <div className={tryCss.result} data-old={isOld}>
      <p className={tryCss.summary} role="status">
        {summary}
      </p>
      <div className={tryCss.found} role="region" aria-label={t('settings:trial.found')} tabIndex={0}>
        {visits.length === 0 && (
          <p className="dim">{t(fileCount === 0 ? 'settings:trial.noFiles' : 'settings:trial.noVisit')}</p>
        )}
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
            <h4 className={tryCss.leftTitle}>{t('settings:trial.leftAside')}</h4>
            <ul role="list" className={tryCss.notes}>
              {notes.slice(0, MAX_SHOWN).map((note) => (
                <li key={note.fileName}>
                  <span className={tryCss.file}>{note.fileName}</span>
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
function useDryRun(input: DryRunInput | null): Answer<ProfileDryRun> {
  const wanted = JSON.stringify(input)
  const [asked] = useDebouncedValue(wanted, PAUSE_MS)
  const answer = useAnswer('folders.tryProfile', JSON.parse(asked) as DryRunInput | null)
  return { ...answer, isReading: answer.isReading || (input !== null && asked !== wanted) }
}
