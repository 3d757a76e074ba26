/** Addresses of images are shared by all who draw the same one, and given back when the last of them is gone. */
import type { BytesKind } from '../../src-shared/contract.ts'
import type { LoanedUrl, StationLink } from '../link/station-link.ts'

type Loan = { readonly loaned: Promise<LoanedUrl>; users: number }

export type UrlDesk = {
  /** The address, and how to give it back; the address rejects as the link does. */
  borrow(kind: BytesKind, id: string): { readonly url: Promise<string>; readonly giveBack: () => void }
}

export function createUrlDesk(link: StationLink): UrlDesk {
  const loans = new Map<string, Loan>()
  return {
    borrow(kind, id) {
      const key = `${kind}/${id}`
      const loan = loans.get(key) ?? { loaned: link.loanUrl(kind, id), users: 0 }
      loans.set(key, loan)
      loan.users += 1
      // A loan that failed must not be handed to the next who asks: the bytes may be there by then.
      loan.loaned.catch(() => loans.get(key) === loan && loans.delete(key))
      let isBack = false
      return {
        url: loan.loaned.then(({ url }) => url),
        giveBack() {
          if (isBack) return
          isBack = true
          loan.users -= 1
          if (loan.users > 0) return
          if (loans.get(key) === loan) loans.delete(key)
          loan.loaned.then(
            ({ release }) => release(),
            () => undefined,
          )
        },
      }
    },
  }
}
