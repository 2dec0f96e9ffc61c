// A word of the glossary is a button, and browsers let a line break behind a button whatever follows (CSS Text 3, 5.1): a line would
// begin with the comma behind the word.

const termAndMarks =
  /<span class="term">(?:(?!<span class="term">)[\s\S])*?<a class="term-link"[^>]*>[^<]*<\/a><\/span><\/span>\u202f?[.,;:?!)»”、，：；。？！）」』]+/g;

/** Holds the words of the glossary in rendered HTML together with the marks that follow them. */
export function holdMarksToTerms(html: string): string {
  return html.replace(termAndMarks, '<span class="whole">$&</span>');
}
