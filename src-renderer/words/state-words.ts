import type { ShownState } from '../store/shown-state.ts'

/** Every state in the operator's words, and what it means for the case. */
export const STATE_WORDS: Readonly<Record<ShownState, { readonly name: string; readonly meaning: string }>> =
  {
    collecting: { name: 'Collecting', meaning: 'Images are still arriving from the camera.' },
    incomplete: {
      name: 'Needs details',
      meaning: 'Something is missing or unclear. Open the case to complete it.',
    },
    review: { name: 'Ready to check', meaning: 'Complete. Look at it once, then approve it.' },
    waiting: { name: 'Waiting', meaning: 'Complete and in line to be sent.' },
    retrying: { name: 'Retrying', meaning: 'It did not get through yet. The station tries again by itself.' },
    held: { name: 'On hold', meaning: 'A person stopped it. It goes on when it is released.' },
    sending: { name: 'Sending', meaning: 'It is on its way to the service now.' },
    unconfirmed: {
      name: 'Check delivery',
      meaning:
        'Everything was sent but no clear answer came. It may have arrived; it is not sent again by itself.',
    },
    refused: { name: 'Needs attention', meaning: 'The service did not take it, or an image is damaged.' },
    sent: { name: 'Sent', meaning: 'The service took it and gave it a case id.' },
    discarded: { name: 'Discarded', meaning: 'A person removed it. It can be restored.' },
  }
