/** What the shell loads before any component. */
import '../tokens.css';
import '../base.css';
import '../typeface.css';
