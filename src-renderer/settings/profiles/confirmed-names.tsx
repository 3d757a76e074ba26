/** Names that the station reads on its own: what it offers to read, with a preview, and what persons have confirmed. */
import { Anchor, Stack, Text } from '@mantine/core'
import { IconFileCheck, IconFileX, IconShieldCheck, IconShieldX, IconTags } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import type { CallOutput } from '../../../src-shared/contract.ts'
import type { HeldProfile } from '../../../src-shared/profile-offers.ts'
import { Caution, FailureNotice, NotRead, SmallButton } from '../../components/controls.tsx'
import { Dialog, DialogButtons } from '../../components/dialog.tsx'
import { SignatureFields, useSignature } from '../../decisions/decisions.tsx'
import { formatInstant } from '../../format/dates.ts'
import { joinTexts, t } from '../../i18n/i18n.ts'
import { useRoute, writeRoute } from '../../shell/navigation.tsx'
import { useAnswer, useCall, useStation } from '../../store/use-station.ts'
import css from './confirmed-names.module.css'
import { MarkNames } from './mark-names.tsx'
import { OfferBody, Pattern } from './offer-preview.tsx'

type ShownOffer = CallOutput<'profiles.offers'>['offers'][number]

/** The section of one watched folder. */
export function ConfirmedNames({ path }: { readonly path: string }) {
  // Another approval may have made an offer meanwhile.
  const counted = useStation(
    ({ status }) => status?.names.find((folder) => folder.path === path)?.offers ?? 0,
  )
  const { value, failure, isReading, readAgain } = useAnswer('profiles.offers', { path }, counted)
  const route = useRoute()
  const isWanted = route.screen === 'settings' && route.folder === path
  const showIfWanted = useCallback(
    (section: HTMLElement | null) => {
      if (isWanted) section?.scrollIntoView({ block: 'start' })
    },
    [isWanted],
  )
  if (value === null)
    return (
      <div className={css.names}>
        <h3 className={css.title}>{t('naming:title')}</h3>
        <NotRead failure={failure} label={t('naming:reading')} />
      </div>
    )
  const { offers, profiles } = value
  return (
    <section ref={showIfWanted} className={css.names} aria-busy={isReading}>
      <h3 className={css.title}>{t('naming:title')}</h3>
      <p className="small dim">{t('naming:hint')}</p>
      {offers.length + profiles.length === 0 && <p className="dim">{t('naming:nothing')}</p>}
      {offers.map((shown) => (
        <OfferCard key={shown.offer.key} path={path} shown={shown} onConfirmed={readAgain} />
      ))}
      <MarkNames path={path} onMarked={readAgain} />
      {profiles.length > 0 && (
        <Stack component="ul" role="list" gap={8} aria-label={t('naming:held.title')}>
          {profiles.map((held) => (
            <HeldRow key={held.profile.id} path={path} held={held} onRevoked={readAgain} />
          ))}
        </Stack>
      )}
    </section>
  )
}

type OfferCardProps = {
  readonly path: string
  readonly shown: ShownOffer
  readonly onConfirmed: () => void
}

function OfferCard({ path, shown: { offer, preview }, onConfirmed }: OfferCardProps) {
  const { visits, patients, days, rightImages, leftImages } = offer.evidence
  const isRefused = offer.counterExamples.length > 0
  const Sign = isRefused ? IconFileX : IconFileCheck
  const title = t(isRefused ? 'naming:offer.refused' : 'naming:offer.new')
  return (
    <article className={css.offer} data-refused={isRefused} aria-label={title}>
      <div className={css.head}>
        <Sign size={20} stroke={1.8} aria-hidden />
        <strong>{title}</strong>
      </div>
      <OfferBody
        offer={offer}
        preview={preview}
        evidence={t('naming:offer.evidence', {
          visits,
          patients,
          days,
          right: rightImages,
          left: leftImages,
        })}
        action={t('naming:confirm.action')}
        hint={t('naming:confirm.hint')}
        take={(call, by) => call('profiles.confirm', { path, key: offer.key, by })}
        onTaken={onConfirmed}
      />
    </article>
  )
}

type HeldRowProps = {
  readonly path: string
  readonly held: HeldProfile
  readonly onRevoked: () => void
}

function HeldRow({ path, held, onRevoked }: HeldRowProps) {
  const { profile, pattern, state, waitingFor, sent } = held
  const [isAsking, setAsking] = useState(false)
  const { confirmed } = profile
  const isConfirmed = state === 'confirmed'
  const isMarked = state === 'marked'
  const Sign = isConfirmed ? IconShieldCheck : isMarked ? IconTags : IconShieldX
  return (
    <li className={css.row} data-state={state}>
      <Sign size={20} stroke={1.8} aria-hidden />
      <Stack gap={2}>
        <Pattern profile={profile} pattern={pattern} />
        <span className={css.who}>
          {isConfirmed && confirmed
            ? t('naming:held.confirmed', { by: confirmed.by, when: formatInstant(Date.parse(confirmed.at)) })
            : t(`naming:held.${isConfirmed ? 'unconfirmed' : state}`)}
        </span>
        {waitingFor > 0 && <span>{t('naming:held.firstReviews', { count: waitingFor })}</span>}
        <span className="dim" hidden={isMarked}>
          {t('naming:held.sent', { count: sent.length })}
        </span>
        {!isConfirmed && <CaseLinks cases={sent} />}
      </Stack>
      {(isConfirmed || isMarked) && (
        <SmallButton
          aria-label={t('naming:revoke.label', { pattern })}
          color="red"
          onClick={() => setAsking(true)}
        >
          {t('naming:revoke.action')}
        </SmallButton>
      )}
      <RevokeDialog
        path={path}
        held={held}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onRevoked={onRevoked}
      />
    </li>
  )
}

const USUAL_REASONS = ['eye', 'patient', 'camera'] as const

type RevokeDialogProps = HeldRowProps & { readonly isOpen: boolean; readonly onClose: () => void }

/** Says what returns and what was sent by it, and asks for a reason; the row names what was sent from then on. */
function RevokeDialog({ path, held, isOpen, onClose, onRevoked }: RevokeDialogProps) {
  const signature = useSignature()
  const { call, isBusy, failure } = useCall()
  const revoke = async (): Promise<void> => {
    const signed = signature.sign()
    if (signed === null) return
    if (!(await call('profiles.revoke', { path, id: held.profile.id, ...signed }))) return
    onClose()
    onRevoked()
  }
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('naming:revoke.title')}>
      <Stack>
        <Pattern profile={held.profile} pattern={held.pattern} />
        <Text>{t('naming:revoke.body')}</Text>
        <Text>
          {joinTexts(
            t('naming:revoke.unsent', { count: held.unsent.length }),
            t('naming:held.sent', { count: held.sent.length }),
          )}
        </Text>
        {held.sent.length > 0 && <Caution>{t('naming:revoke.sent')}</Caution>}
        <CaseLinks cases={held.sent} />
        <SignatureFields
          signature={signature}
          usualReasons={USUAL_REASONS.map((reason) => t(`naming:revoke.reasons.${reason}`))}
          hasFocus
        />
        {failure && <FailureNotice failure={failure} />}
        <DialogButtons
          isFocused={false}
          onCancel={onClose}
          color="red"
          loading={isBusy}
          onClick={() => void revoke()}
        >
          {t('naming:revoke.action')}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

function CaseLinks({ cases }: { readonly cases: HeldProfile['sent'] }) {
  if (cases.length === 0) return null
  return (
    <ul role="list" className={css.cases}>
      {cases.map(({ id, reference }) => (
        <li key={id}>
          <Anchor size="sm" href={writeRoute({ screen: 'submission', id })} className="tabular">
            {reference}
          </Anchor>
        </li>
      ))}
    </ul>
  )
}
