import { Button, Group, TextInput } from '@mantine/core'
import { MAX_INITIALS_LENGTH } from './initials.ts'
import type { Signature } from './use-signature.ts'
import { t } from '../words/t.ts'

/** As long as the trail takes. */
const MAX_REASON_LENGTH = 500

export type SignatureFieldsProps = {
  readonly signature: Signature
  /** Is a reason asked for, too? With the usual ones, one click each. */
  readonly usualReasons?: readonly string[]
  /** The field that gets the focus when the dialog opens. */
  readonly hasFocus?: boolean
}

/** Who decides, and why. */
export function SignatureFields({ signature, usualReasons, hasFocus = false }: SignatureFieldsProps) {
  const { by, why, isMissing, writeBy, writeWhy } = signature
  const isFocusOnWhy = hasFocus && usualReasons !== undefined && by !== ''
  return (
    <>
      {usualReasons !== undefined && (
        <div>
          <TextInput
            label={t('decision:sign.why')}
            description={t('decision:sign.whyHint')}
            value={why}
            maxLength={MAX_REASON_LENGTH}
            autoComplete="off"
            data-autofocus={isFocusOnWhy || undefined}
            onChange={(event) => writeWhy(event.currentTarget.value)}
          />
          {usualReasons.length > 0 && (
            <Group gap={6} mt={8}>
              {usualReasons.map((reason) => (
                <Button
                  key={reason}
                  size="compact-sm"
                  variant="default"
                  aria-pressed={why === reason}
                  onClick={() => writeWhy(reason)}
                >
                  {reason}
                </Button>
              ))}
            </Group>
          )}
        </div>
      )}
      <TextInput
        label={t('decision:sign.initials')}
        description={t('decision:sign.initialsWhy')}
        value={by}
        maxLength={MAX_INITIALS_LENGTH}
        autoComplete="off"
        w={220}
        error={isMissing && t('decision:sign.initialsMissing')}
        data-autofocus={(hasFocus && !isFocusOnWhy) || undefined}
        onChange={(event) => writeBy(event.currentTarget.value)}
      />
    </>
  )
}
