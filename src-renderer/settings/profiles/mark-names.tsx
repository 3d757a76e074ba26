/** Marks the parts of one real path of a folder, shows what that reads, and stores it as a draft that proposes. */
import { Loader, NativeSelect } from '@mantine/core'
import { IconTags, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { CallOutput } from '../../../src-shared/contract.ts'
import type { Mark } from '../../../src-shared/profile-offers.ts'
import { Caution, FailureNotice, IconAction, SmallButton } from '../../components/controls.tsx'
import { messageOf, t } from '../../i18n/i18n.ts'
import { useNames } from '../../privacy/names.tsx'
import { useAnswer } from '../../store/use-station.ts'
import css from './confirmed-names.module.css'
import { OfferBody } from './offer-preview.tsx'

type Draft = CallOutput<'profiles.draft'>

type MarkNamesProps = { readonly path: string; readonly onMarked: () => void }

export function MarkNames({ path, onMarked }: MarkNamesProps) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <MarkingCard path={path} onMarked={onMarked} onClose={() => setOpen(false)} />
  return (
    <div>
      <SmallButton icon={IconTags} onClick={() => setOpen(true)}>
        {t('naming:mark.open')}
      </SmallButton>
    </div>
  )
}

function MarkingCard({ path, onMarked, onClose }: MarkNamesProps & { readonly onClose: () => void }) {
  const names = useNames()
  const [asked, setAsked] = useState<{ readonly file?: string; readonly marks?: Mark[] }>({})
  const { value: draft, failure, isReading } = useAnswer('profiles.draft', { path, ...asked })
  const file = draft?.file ?? null
  const shown = draft?.shown ?? null
  const marks = (draft?.pieces ?? []).flatMap(({ mark }) => mark ?? [])
  return (
    <article className={css.offer} aria-label={t('naming:mark.title')} aria-busy={isReading}>
      <div className={css.head}>
        <IconTags size={20} stroke={1.8} aria-hidden />
        <strong>{t('naming:mark.title')}</strong>
        {isReading && <Loader size={15} aria-label={t('shell:reading')} />}
        <span className={css.close}>
          <IconAction label={t('shell:close')} icon={IconX} onClick={onClose} />
        </span>
      </div>
      <p className="small dim">{t('naming:mark.hint')}</p>
      {failure && <FailureNotice failure={failure} tone="amber" />}
      {draft?.file === null && <p className="dim">{t('naming:mark.none')}</p>}
      {names.areHidden && <p className="dim">{t('naming:mark.hidden')}</p>}
      {draft && file !== null && !names.areHidden && (
        <>
          <NativeSelect
            label={t('naming:mark.file')}
            value={file}
            data={draft.files.includes(file) ? draft.files : [file, ...draft.files]}
            onChange={(event) => setAsked({ file: event.currentTarget.value })}
          />
          <Pieces pieces={draft.pieces} onMark={(marks) => setAsked({ file, marks })} />
          {draft.problem && <Caution>{messageOf(draft.problem)}</Caution>}
          {shown && (
            <OfferBody
              {...shown}
              action={t('naming:mark.action')}
              hint={t('naming:mark.signHint')}
              take={(call, by) => call('profiles.mark', { path, file, marks, key: shown.offer.key, by })}
              onTaken={() => {
                onClose()
                onMarked()
              }}
            />
          )}
        </>
      )}
    </article>
  )
}

const MARKS = ['who', 'day', 'eye', 'rest'] as const satisfies readonly Mark[]

type PiecesProps = { readonly pieces: Draft['pieces']; readonly onMark: (marks: Mark[]) => void }

/** The path in its order: under each piece, what it says. */
function Pieces({ pieces, onMark }: PiecesProps) {
  const choose = (at: number, chosen: string): void =>
    onMark(
      pieces.flatMap(({ mark }, index) =>
        mark === null ? [] : index === at ? (MARKS.find((one) => one === chosen) ?? mark) : mark,
      ),
    )
  return (
    <div className={css.pieces} role="group" aria-label={t('naming:mark.pieces')}>
      {pieces.map(({ text, mark }, index) =>
        mark === null ? (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of a path have no other name
          <span key={index} className={css.between}>
            {text}
          </span>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of a path have no other name
          <span key={index} className={css.piece} data-mark={mark}>
            <span>{text}</span>
            <NativeSelect
              size="xs"
              aria-label={t('naming:mark.says', { text })}
              value={mark}
              data={MARKS.map((one) => ({ value: one, label: t(`naming:mark.as.${one}`) }))}
              onChange={(event) => choose(index, event.currentTarget.value)}
            />
          </span>
        ),
      )}
    </div>
  )
}
