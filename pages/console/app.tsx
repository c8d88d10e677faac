/* The console's start. */
import { render } from 'preact';
import './console.css';

function App() {
	return <main><h1>kith</h1></main>;
}

const root = document.getElementById('app');
if (root)
	render(<App />, root);
